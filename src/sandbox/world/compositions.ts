import { endStream } from './end-stream.ts';
import { startStream } from './publish.ts';
import type { Composition, LiveStream, World } from './world.ts';

export function createComposition(
  world: World,
  draft: {
    readonly inputs: readonly LiveStream[];
    readonly capabilities: readonly string[];
    readonly tags: readonly string[];
  },
): Composition {
  const stream = startStream(world, {
    sessionId: world.ids.session(),
    origin: 'composed',
    type: 'User',
    capabilities: draft.capabilities,
    tags: draft.tags,
    notified: world.switches['composition-notified'] === 'notified',
  });
  const composition: Composition = { stream, inputs: [], deleted: false };
  world.compositions.set(stream.streamId, composition);
  setInputs(composition, draft.inputs);
  return composition;
}

export function setInputs(composition: Composition, inputs: readonly LiveStream[]): void {
  for (const input of composition.inputs) input.compositions.delete(composition);
  composition.inputs = inputs;
  for (const input of inputs) input.compositions.add(composition);
}

export function deleteComposition(world: World, composition: Composition, reason: string): void {
  composition.deleted = true;
  endStream(world, composition.stream, reason);
}
