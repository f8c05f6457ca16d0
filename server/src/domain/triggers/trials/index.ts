/** Trying definitions out: preview, tests on samples and blocks, one provider, the latest match. Nothing is saved. */
export { findLatestBlock } from './find-latest-block.ts'
export { previewTrigger, testTrigger, testTriggerBlock } from './handlers.ts'
export { testProvider } from './provider.ts'
