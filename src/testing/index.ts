/** What authors of rules import as `usher/testing`: the rule tester, and builders of people, rooms and events. */
export { ruleTester } from './rule-tester.ts';
export type { ActingCase, ExpectedAction, NamedCase, RuleTable, SilentCase } from './rule-tester.ts';
export { author, BEGIN, member, sessionOf, stream } from './cast.ts';
export { roomWith, type RoomContents } from './room-with.ts';
export { RuleTestError } from './assertion-error.ts';
export {
  changes,
  ends,
  joins,
  leaves,
  publishersGo,
  publishes,
  says,
  wait,
  type Scene,
  type Step,
} from './script.ts';
