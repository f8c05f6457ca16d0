import { type AnswerSizes, largeBytes } from '../answer-sizes.ts'

/** In hex. The largest metadata of a known runtime takes 4 MiB. */
const metadataBytes = 16 * 1024 * 1024

export const answerSizes: AnswerSizes = {
  small: new Set([
    'chain_getBlockHash',
    'chain_getFinalizedHead',
    'chain_getHeader',
    'chain_subscribeNewHeads',
    'chain_unsubscribeNewHeads',
    'state_getRuntimeVersion',
    'system_chain',
    'system_health',
    'system_properties',
    'system_version',
  ]),
  large: {
    chain_getBlock: largeBytes,
    state_call: metadataBytes,
    state_getMetadata: metadataBytes,
    state_getStorage: largeBytes,
    state_queryStorageAt: largeBytes,
  },
}
