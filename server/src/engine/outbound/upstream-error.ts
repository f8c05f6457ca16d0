/** A remote server failed or gave an invalid answer. The message is for the tenant; it is never a bug of the service. */
export class UpstreamError extends Error {
  readonly kind: 'refused' | 'timeout' | 'failed' | 'too_large' | 'bad_answer'
  constructor(kind: UpstreamError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
