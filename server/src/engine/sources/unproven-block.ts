import { UpstreamError } from '../outbound/upstream-error.ts'

/** The nodes answer for a block, and their answers fail a check. If that lasts, the connection takes the block as it is. */
export class UnprovenBlock extends UpstreamError {
  constructor(message: string) {
    super('bad_answer', message)
  }
}
