/** The traces of a block in both formats of real nodes, from the real traces of its transactions. */
export type TraceMethod = 'debug_traceBlockByHash' | 'trace_block'
export type Frame = { type: string; from: string; to?: string; value?: string; input: string; error?: string } & {
  output?: string
  gas: string
  gasUsed: string
  calls?: Frame[]
}
type Request = (method: string, params: unknown[]) => Promise<unknown>
type Block = { hash: string; number: string; transactions: string[] }

/** Null if the node does not have the block. */
export async function traceBlock(request: Request, method: TraceMethod, which: string): Promise<unknown> {
  const by = method === 'trace_block' ? 'eth_getBlockByNumber' : 'eth_getBlockByHash'
  const block = (await request(by, [which, false])) as Block | null
  if (!block) return null
  const frames: Frame[] = []
  for (const hash of block.transactions)
    frames.push((await request('debug_traceTransaction', [hash, { tracer: 'callTracer' }])) as Frame)
  if (method === 'debug_traceBlockByHash')
    return block.transactions.map((txHash, index) => ({ txHash, result: frames[index] }))
  return frames.flatMap((frame, index) => flatTraces(frame, [], block, index))
}

/** The frame and the frames inside it as a flat list, each with its path. */
export function flatTraces(frame: Frame, traceAddress: number[], block: Block, index: number): object[] {
  const calls = frame.calls ?? []
  const isCreation = frame.type.startsWith('CREATE')
  const { from, to, gas, gasUsed, value = '0x0', input, output = '0x', error } = frame
  const action = isCreation
    ? { from, gas, value, init: input }
    : { callType: frame.type.toLowerCase(), from, to, gas, value, input }
  const result = isCreation ? { address: to, code: output, gasUsed } : { gasUsed, output }
  const own = {
    ...{ action, type: isCreation ? 'create' : 'call', subtraces: calls.length, traceAddress },
    ...{ blockHash: block.hash, blockNumber: Number(block.number) },
    ...{ transactionHash: block.transactions[index], transactionPosition: index },
    result,
    ...(error !== undefined && { error }),
  }
  return [own, ...calls.flatMap((call, at) => flatTraces(call, [...traceAddress, at], block, index))]
}
