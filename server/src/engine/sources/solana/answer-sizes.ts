import { type AnswerSizes, largeBytes } from '../answer-sizes.ts'

/** An account has at most 10 MiB, in base64. */
const accountBytes = 14 * 1024 * 1024

export const answerSizes: AnswerSizes = {
  small: new Set(['getBlockHeight', 'getGenesisHash', 'getLatestBlockhash', 'getSlot', 'getVersion']),
  large: { getAccountInfo: accountBytes, getBlock: largeBytes },
}
