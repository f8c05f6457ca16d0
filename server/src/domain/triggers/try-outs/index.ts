/**
 * Try-outs of definitions: preview, tests on samples and blocks, test of one provider, search for the latest match.
 * Nothing is saved.
 */
export { findLatestBlock } from './find-latest-block.ts'
export { previewTrigger, testTrigger, testTriggerBlock } from './handlers.ts'
export { previewMessage } from './message-preview.ts'
export { testProvider } from './provider.ts'
