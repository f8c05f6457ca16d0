/** A remote party failed or answered nonsense: a sentence for the tenant, never our bug. */
export class UpstreamError extends Error {
  readonly kind: 'refused' | 'timeout' | 'failed' | 'too_large' | 'bad_answer'
  constructor(kind: UpstreamError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
