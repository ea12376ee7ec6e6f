import { Observable, Subscriber, type Observer, type Operator, type Subscription } from 'rxjs';

/**
 * An Observable, with everything piped from it, whose subscribers cannot hurt the process: RxJS rethrows what a `next`
 * handler throws on a timer, where nobody can catch it. Here it goes to `onError`, and the subscriber stays.
 */
export class GuardedObservable<T> extends Observable<T> {
  readonly #onError: (error: unknown) => void;

  constructor(source: Observable<T> | undefined, onError: (error: unknown) => void) {
    super(source && ((subscriber) => source.subscribe(subscriber)));
    this.#onError = onError;
  }

  /** `pipe` builds on this: what comes out of an operator is guarded too. */
  override lift<R>(operator?: Operator<T, R>): Observable<R> {
    const lifted = new GuardedObservable<R>(undefined, this.#onError);
    lifted.source = this;
    lifted.operator = operator;
    return lifted;
  }

  override subscribe(observer?: Partial<Observer<T>> | ((value: T) => void) | null): Subscription {
    // An operator's own subscriber passes errors on by itself.
    if (observer instanceof Subscriber) return super.subscribe(observer);
    const given: Partial<Observer<T>> =
      typeof observer === 'function' ? { next: observer } : (observer ?? {});
    const guard = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        this.#onError(error);
      }
    };
    return super.subscribe({
      next: (value) => guard(() => given.next?.(value)),
      error: (error: unknown) => (given.error ? guard(() => given.error?.(error)) : this.#onError(error)),
      complete: () => guard(() => given.complete?.()),
    });
  }
}
