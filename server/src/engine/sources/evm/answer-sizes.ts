import { type AnswerSizes, largeBytes } from '../answer-sizes.ts'

/** Of code in hex: a contract may have 24 KiB, on some networks 64 KiB. */
const codeBytes = 132 * 1024
/** One transaction with many logs. */
const receiptBytes = 16 * 1024 * 1024

export const answerSizes: AnswerSizes = {
  small: new Set([
    'eth_blockNumber',
    'eth_chainId',
    'eth_gasPrice',
    'eth_getBalance',
    'eth_getStorageAt',
    'eth_getTransactionCount',
    'eth_subscribe',
    'eth_syncing',
    'eth_unsubscribe',
    'net_version',
    'web3_clientVersion',
  ]),
  large: {
    debug_traceBlockByHash: largeBytes,
    debug_traceBlockByNumber: largeBytes,
    eth_getBlockByHash: largeBytes,
    eth_getBlockByNumber: largeBytes,
    eth_getBlockReceipts: largeBytes,
    eth_getCode: codeBytes,
    eth_getLogs: largeBytes,
    eth_getTransactionReceipt: receiptBytes,
    trace_block: largeBytes,
  },
}
