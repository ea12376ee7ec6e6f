import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  OPERATION_NAMES,
  operations,
  type Operation,
  type OperationInput,
  type OperationResult,
  type PlatformClient,
  type Room,
} from '../../src/platform/index.ts';

const all: readonly (readonly [string, Operation])[] = OPERATION_NAMES.map((name) => [
  name,
  operations[name],
]);

/** interface.md, "Endpoints", as method and path with `*` for parameters. */
const DOCUMENTED = `
POST /auth|POST /stream|DELETE /stream|DELETE /stream/archive|PUT /stream/playlist|GET /*/*/*
PUT /application/*/callback|PUT /channel|GET /channel/*|GET /channel/*/members|GET /channels|DELETE /channel/*
PUT /channel/*/fork/*|PUT /channel/*/kill|GET /channel/*/publishers/count|GET /channel/*/*|PUT /room|GET /room/*
GET /room/*/members|GET /rooms|DELETE /room/*|PUT /room/*/fork/*|PUT /room/*/kill|GET /room/*/publishers/count
GET /room/*/*|PUT /room/*/message|GET /room/*/messages|DELETE /room/*/messages|POST /composition|PUT /composition/*
DELETE /composition/*|POST /transcoding|DELETE /transcoding/*`
  .trim()
  .split(/[|\n]/);

const numbers = (wanted: (operation: Operation) => boolean): number[] =>
  all.filter(([, operation]) => wanted(operation)).map(([, { number }]) => number);

describe('the operations table', () => {
  test('has the operations of the interface in their order, by method and path', () => {
    expect(all.map(([, { number }]) => number)).toEqual(Array.from({ length: 33 }, (_, index) => index + 1));
    expect(all.map(([, { method, path }]) => `${method} ${path.replaceAll(/\{\w+\}/g, '*')}`)).toEqual(
      DOCUMENTED,
    );
  });

  test.each(all)('%s has a schema for each parameter of its path', (_, { path, params }) => {
    expect(Object.keys(params.shape)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  });

  test.each(all)('%s names no input twice', (_, { params, query, request }) => {
    const names = [params, query, request].flatMap((schema) => (schema ? Object.keys(schema.shape) : []));
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(all.filter(([, { already }]) => already.length > 0))(
    '%s gives nothing but "ok", so that "already" can stand for it',
    (_, { response }) => {
      expect(response.kind === 'json' && Object.keys(response.schema.shape)).toEqual(['status']);
    },
  );

  test('has the safety classes that were decided', () => {
    expect(numbers(({ safety }) => safety === 'read')).toEqual([
      5, 6, 9, 10, 11, 15, 16, 18, 19, 20, 24, 25, 27,
    ]);
    expect(numbers(({ safety }) => safety === 'idempotent')).toEqual([3, 4, 7, 12, 21, 28, 30, 31, 33]);
    expect(numbers(({ safety }) => safety === 'createGuarded')).toEqual([8, 17, 32]);
    expect(numbers(({ safety }) => safety === 'unsafe')).toEqual([13, 14, 22, 23, 26, 29]);
    expect(numbers(({ safety }) => safety === 'harmless')).toEqual([1, 2]);
  });

  test('has the documented ways of authentication, and the empty bodies', () => {
    expect(numbers(({ authentication }) => authentication === 'body')).toEqual([1, 2, 3, 4, 5]);
    expect(numbers(({ authentication }) => authentication === 'basicOrBody')).toEqual([
      7, 29, 30, 31, 32, 33,
    ]);
    expect(numbers(({ authentication }) => authentication === 'streamToken')).toEqual([6]);
    expect(numbers(({ emptyBody }) => emptyBody === true)).toEqual([12, 21, 28]);
  });

  test.each([
    [2, ['404 not-found', '404 origin-not-found', '410 origin-ended']],
    [3, ['404 not-found', '410 already-ended', '410 resource-unavailable']],
    [10, ['404 not found', '504 rate-limited', '504 time-exceeded']],
    [13, ['400', '404 not found']],
    [15, ['404 not-found', '412']],
    [24, ['404 not-found', '412 none', '504 rate-limited', '504 time-exceeded']],
    [25, ['404 not found', '415', '504 rate-limited', '504 time-exceeded']],
    [27, ['404 not-found', '413 limit-too-large', '504 rate-limited']],
    [
      31,
      [
        '404 not-found',
        '409 already-deleted',
        '410 already-deleted',
        '410 already-ended',
        '410 resource-unavailable',
      ],
    ],
  ])('operation %i has its documented statuses', (number, expected) => {
    const statuses = all[number - 1]![1].statuses;
    const spelt = statuses.flatMap(({ http, status }) =>
      status.length === 0 ? [String(http)] : status.map((text) => `${http} ${text}`),
    );
    expect(spelt).toEqual(expected);
  });

  test('types inputs and results', () => {
    expectTypeOf<OperationInput<'getRoom'>>().toEqualTypeOf<{ roomId: string }>();
    expectTypeOf<Parameters<PlatformClient['listChannels']>[0]>().not.toHaveProperty('channelId');
    expectTypeOf<keyof OperationInput<'getPlaylist'>>().toEqualTypeOf<
      'streamId' | 'manifest' | 'streamToken'
    >();
    expectTypeOf<OperationInput<'listMessages'>['limit']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<OperationInput<'sendMessage'>['message']['message']>().toEqualTypeOf<string>();
    expectTypeOf<OperationResult<'getRoom'>>().toEqualTypeOf<{ status: 'ok'; room: Room }>();
    expectTypeOf<OperationResult<'getRoomManifest'>>().toEqualTypeOf<{ readonly location: string }>();
    expectTypeOf<OperationResult<'deleteRoom'>>().toEqualTypeOf<{ status: 'ok' }>();
  });
});
