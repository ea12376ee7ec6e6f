import type { Sandbox } from '../sandbox.ts';
import type { Scenario } from './scenario.ts';

/** Someone of the show's cast, with the place where they act. */
export interface Actor {
  readonly place: { readonly roomId: string } | { readonly channelId: string };
  readonly sessionId: string;
  readonly screenName: string;
  readonly role: Scenario['members'][string]['role'];
  readonly state: Scenario['members'][string]['state'];
}

/** Everybody by name, and the newest stream of each name. */
export interface Cast {
  readonly actors: ReadonlyMap<string, Actor>;
  readonly streams: Map<string, string>;
}

/** Builds the places and lets the cast enter; a place whose alias exists already is used as it is. */
export function setStage(sandbox: Sandbox, scenario: Scenario): Cast {
  const places = new Map<string, Actor['place']>();
  for (const { alias, ...rest } of scenario.rooms)
    places.set(`room ${alias}`, {
      roomId: sandbox.findPlace({ roomAlias: alias }) ?? sandbox.createRoom({ alias, ...rest }).roomId,
    });
  for (const { alias, ...rest } of scenario.channels)
    places.set(`channel ${alias}`, {
      channelId:
        sandbox.findPlace({ channelAlias: alias }) ?? sandbox.createChannel({ alias, ...rest }).channelId,
    });
  const actors = new Map<string, Actor>();
  for (const [name, member] of Object.entries(scenario.members)) {
    const place = places.get(member.room === undefined ? `channel ${member.channel}` : `room ${member.room}`);
    if (place === undefined) continue; // the schema refused a member of an unknown place
    const actor: Actor = {
      place,
      sessionId: sandbox.newSession(),
      screenName: member.screenName ?? name,
      role: member.role,
      state: member.state,
    };
    actors.set(name, actor);
    if (member.present) enter(sandbox, actor);
  }
  return { actors, streams: new Map() };
}

/** Once more after a kill, with the same session. */
export const enter = (sandbox: Sandbox, { place, ...actor }: Actor): void =>
  void sandbox.join({ ...place, ...actor });
