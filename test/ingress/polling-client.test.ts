import { expectTypeOf, test } from 'vitest';
import type { PollingClient } from '../../src/ingress/polling-client.ts';
import type { PlatformClient } from '../../src/platform/index.ts';

test('the platform client can be polled as it is', () => {
  expectTypeOf<PlatformClient>().toExtend<PollingClient>();
});
