import { z } from 'zod';

/** Where notifications go (interface.md, "Callback object"); one per application, the last one registered counts. */
export const callback = z.object({
  /** `http` when absent. */
  protocol: z.enum(['http', 'https']).optional(),
  host: z.string().min(1),
  /** 80 or 443 when absent, by protocol. */
  port: z.int().min(1).max(65_535).optional(),
  /** `POST` when absent. */
  method: z.enum(['GET', 'POST', 'PUT']).optional(),
  /** `/` when absent. */
  path: z.string().optional(),
  /** Without the question mark. */
  query: z.string().optional(),
});
export type Callback = z.input<typeof callback>;
