/**
 * The platform's interface as a typed library: one table of operations, a client made from it, signatures of
 * notifications, edge tokens. Times are ms since 1970, sizes bytes in UTF-8. Calls reject with a `PlatformError` only.
 */
export { createPlatformClient, type PlatformClient, type PlatformOperations } from './client.ts';
export { ClientOptionsError, type PlatformClientOptions } from './client-settings.ts';
export type { AttemptInfo, ClientHooks } from './client-hooks.ts';
export type { ClientTime } from './client-time.ts';
export type { CallOptions } from './perform-call.ts';
export type { MessageWalk } from './message-pages.ts';
export { DEFAULT_RETRY_POLICY, type RetryPolicy } from './retry-policy.ts';
export { DEFAULT_RETRY_BUDGET, type RetryBudgetOptions } from './retry-budget.ts';
export type { Transport, WireAnswer, WireRequest } from './transport.ts';

export {
  COMMON_STATUSES,
  type Authentication,
  type DocumentedStatus,
  type Operation,
  type ResponseKind,
  type SafetyClass,
} from './operation.ts';
export {
  OPERATION_NAMES,
  operations,
  type OperationInput,
  type OperationName,
  type OperationResult,
  type PublisherCount,
} from './operations.ts';

export { PlatformError, type CallEvidence, type CallOutcome } from './platform-error.ts';
export {
  AbortedError,
  CapacityError,
  ConflictError,
  GoneError,
  InvalidRequestError,
  LimitExceededError,
  MessageLimitError,
  NotFoundError,
  OutcomeUnknownError,
  ProtocolError,
  RateLimitedError,
  RefusedError,
  RequestTimeoutError,
  ServerError,
  StreamingUnsupportedError,
  TimeExceededError,
  TransportError,
  UnauthorizedError,
  type ExistingThing,
  type TransportFault,
} from './errors.ts';

export { DEFAULT_HEADER_PREFIX } from './header-names.ts';
export { signNotification, type SignedParts } from './sign-notification.ts';
export {
  createNotificationVerifier,
  verifyNotification,
  type ReceivedNotification,
  type RejectionReason,
  type TimestampUnit,
  type Verification,
  type VerifierOptions,
} from './verify-notification.ts';
export {
  createEdgeToken,
  readEdgeToken,
  type EdgeTokenClaims,
  type EdgeTokenReading,
  type EdgeTokenSigner,
} from './edge-token.ts';

export { cutToBytes } from './cut-to-bytes.ts';
export { encodePathSegment } from './encode-path-segment.ts';
export {
  MAX_MESSAGES_PER_FETCH,
  MESSAGE_LIMITS,
  messageExcess,
  type MessageExcess,
} from './message-limits.ts';
export { redact, redactText } from './redact.ts';
export { splitTag } from './split-tag.ts';
export { streamIdFromUri } from './stream-id-from-uri.ts';

export type { Callback } from './schemas/callback.ts';
export { ANCHORS, type CompositionToCreate, type PlatformCompositionInput } from './schemas/composition.ts';
export type { PlatformMember, PlatformMemberStream } from './schemas/member.ts';
export type { Message, MessageToSend } from './schemas/message.ts';
export { readNotification, type Notification, type NotificationReading } from './schemas/notification.ts';
export type { Channel, ChannelToCreate, IngestOptions, Room, RoomToCreate } from './schemas/place.ts';
export type { Playlist, StreamInfo } from './schemas/playlist.ts';
export { TRANSCODING_QUALITIES, TRANSCODING_TYPES, type TranscodingToCreate } from './schemas/transcoding.ts';
