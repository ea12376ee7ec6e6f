/** A request as it goes out; `target` is the raw request target below the origin. */
export interface WireRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null sends no body. */
  readonly body: string | null;
  /** Sends `Content-Length: 0` (interface.md, endpoints 12, 21, 28). */
  readonly emptyBody: boolean;
}

/** A complete answer; header values are empty where absent. */
export interface WireAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly location: string;
  readonly text: string;
}

/** What carries requests. `send` rejects when no complete answer came; `transportFault` tells how from the error. */
export interface Transport {
  send(request: WireRequest, signal: AbortSignal): Promise<WireAnswer>;
  /** Resolves when what is under way has ended; nothing can be sent afterwards. A second time is the first. */
  close(): Promise<void>;
}
