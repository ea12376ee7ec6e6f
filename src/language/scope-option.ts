import { z } from 'zod';
import { ROOM_TYPES } from '../domain/place.ts';
import { tagOption } from './tag-filter.ts';

const globs = z.array(z.string().min(1).max(512)).min(1).optional();

/** Where a bot or a rule acts. */
export const scopeOption = z.strictObject({
  rooms: globs,
  types: z.array(z.enum(ROOM_TYPES)).min(1).optional(),
  channels: globs,
  tags: tagOption.optional(),
});
