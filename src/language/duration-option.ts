import { duration } from '../plugin/index.ts';

/** `500ms 10s 5m 2h 30d` in a bot file, milliseconds in the rule; a wrong one is told what a right one looks like. */
export const durationOption = () =>
  duration().meta({ description: 'a duration such as 500ms, 10s, 5m, 2h or 30d' });
