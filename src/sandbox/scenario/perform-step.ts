import type { Sandbox } from '../sandbox.ts';
import type { RepeatStep, Step } from './scenario.ts';
import type { Actor, Cast } from './stage.ts';
import { enter } from './stage.ts';

/** Does what a step says through the sandbox's verbs; throws what they throw. `n` fills `{{n}}`. */
export function performStep(sandbox: Sandbox, cast: Cast, step: Exclude<Step, RepeatStep>, n: number): void {
  const actor = (name: string): Actor => {
    const found = cast.actors.get(name);
    if (found === undefined) throw new RangeError(`nobody is called ${name}`);
    return found;
  };
  /** Whoever was removed by a kill, and acts again, has come back. */
  const present = (name: string): Actor => {
    const found = actor(name);
    if (!sandbox.members(found.place).some(({ sessionId }) => sessionId === found.sessionId))
      enter(sandbox, found);
    return found;
  };
  const stream = (name: string): string => {
    const found = cast.streams.get(name);
    if (found === undefined) throw new RangeError(`no stream is called ${name}`);
    return found;
  };
  switch (step.verb) {
    case 'join': {
      const { place, ...who } = actor(step.join);
      sandbox.join({ ...place, ...who, role: step.role ?? who.role, state: step.state ?? who.state });
      return;
    }
    case 'leave': {
      const { place, sessionId } = actor(step.leave);
      sandbox.leave({ ...place, sessionId });
      return;
    }
    case 'publish': {
      const { place, sessionId } = present(step.publish);
      const { capabilities, tags, type } = step;
      const { streamId } = sandbox.publish({ ...place, sessionId, capabilities, tags, type });
      cast.streams.set(step.as ?? step.publish, streamId);
      return;
    }
    case 'end':
      sandbox.end({ streamId: stream(step.end), reason: step.reason });
      return;
    case 'say': {
      const { place, sessionId } = present(step.say);
      const message = step.text.replaceAll('{{n}}', String(n));
      sandbox.say({ ...place, sessionId, message, mimeType: step.mimeType, tags: step.tags });
      return;
    }
    case 'setState': {
      const { place, sessionId } = present(step.setState);
      const { state, role, audioState, videoState } = step;
      sandbox.setState({ ...place, sessionId, state, role, audioState, videoState });
      return;
    }
    case 'playlist':
      sandbox.makePlaylistReady({ streamId: stream(step.playlist), what: step.what, type: step.type });
      return;
    case 'fault':
      sandbox.failNext(step.fault);
      return;
  }
}
