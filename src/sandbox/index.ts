/** The door of `usher/sandbox`: an emulator of the whole platform for tests, shows and the conformance suite. */
export type { ClockMode } from './clock.ts';
export type { Decision, DecisionId, SwitchSettings } from './decisions.ts';
export { decisions } from './decisions.ts';
export type { RequestFaultRule, WebhookFaultRule } from './faults/rules.ts';
export type { RequestRecord } from './http/request-log.ts';
export type { Delivery, DeliveryAttempt, DeliveryState } from './notifications/delivery.ts';
export type { Sandbox, SandboxActivity, SandboxOptions } from './sandbox.ts';
export { startSandbox } from './start-sandbox.ts';
export { SandboxError } from './sandbox-error.ts';
export type { VerbInput, VerbName } from './verb-inputs.ts';
export type { Verbs } from './verbs.ts';
export { loadScenario, parseScenario } from './scenario/load-scenario.ts';
export type { PlayOptions, Show } from './scenario/play-scenario.ts';
export { playScenario } from './scenario/play-scenario.ts';
export type { PlayedStep, Scenario, Step } from './scenario/scenario.ts';
export type { ConformanceOptions, ConformanceResult } from './conformance/run-conformance.ts';
export { runConformance } from './conformance/run-conformance.ts';
