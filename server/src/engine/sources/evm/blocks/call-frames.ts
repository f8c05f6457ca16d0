import { UpstreamError } from '../../../outbound/upstream-error.ts'
import type { EvmCall } from '../contents.ts'
import { requireAmount, requireBytes, requireInteger, requireList, requireNumber, requireRecord } from './quantities.ts'

/** Reads the traces of a transaction to a tree of calls, from each of the two formats that nodes have. */
export type CallFrame = {
  /** Undefined for what is no call, such as a self-destruct. */
  type: EvmCall['type'] | undefined
  from: string
  to: string | null
  value: string
  input: string
  output: string
  gasUsed: number | string | null
  isFailed: boolean
  calls: CallFrame[]
}

/** Code of another contract that runs in the caller's storage is a delegatecall, by whichever of the two opcodes. */
const types: Readonly<Record<string, EvmCall['type']>> = {
  call: 'call',
  callcode: 'delegatecall',
  delegatecall: 'delegatecall',
  staticcall: 'staticcall',
  create: 'create',
  create2: 'create',
}

/** A frame of geth's callTracer with the frames inside it. */
export function readFrame(answer: unknown): CallFrame {
  const root = requireRecord(answer, 'trace')
  const frame = frameOf(root)
  // A list instead of recursion: nodes decide how deep the frames are.
  const open: [Record<string, unknown>, CallFrame][] = [[root, frame]]
  for (let next = open.pop(); next; next = open.pop())
    for (const inner of requireList(next[0].calls ?? [], 'calls of a trace')) {
      const raw = requireRecord(inner, 'trace')
      const child = frameOf(raw)
      next[1].calls.push(child)
      open.push([raw, child])
    }
  return frame
}

function frameOf(raw: Record<string, unknown>): CallFrame {
  const type = typeOf(raw.type)
  return {
    type,
    from: requireBytes(raw.from, 'from of a trace', 20),
    to: raw.to == null ? null : requireBytes(raw.to, 'to of a trace', 20),
    value: weiOf(type, raw.value),
    input: requireBytes(raw.input ?? '0x', 'input of a trace'),
    output: requireBytes(raw.output ?? '0x', 'output of a trace'),
    gasUsed: raw.gasUsed == null ? null : requireInteger(raw.gasUsed, 'gasUsed of a trace'),
    isFailed: raw.error != null,
    calls: [],
  }
}

/** The frames of `trace_block` by transaction. Each trace says how many frames are inside it, which shows what was left out. */
export function readTraces(answers: readonly unknown[]): Map<string, CallFrame> {
  const frames = new Map<string, { frame: CallFrame; inside: number }>()
  const roots = new Map<string, CallFrame>()
  for (const answer of answers) {
    const trace = requireRecord(answer, 'trace')
    if (trace.transactionHash == null) continue
    const hash = requireBytes(trace.transactionHash, 'transactionHash of a trace', 32)
    const path = requireList(trace.traceAddress, 'traceAddress of a trace').map(String)
    const frame = frameOfTrace(trace)
    frames.set([hash, ...path].join(), { frame, inside: insideOf(trace.subtraces) })
    const parent = frames.get([hash, ...path.slice(0, -1)].join())?.frame
    if (path.length === 0) roots.set(hash, frame)
    else if (parent) parent.calls.push(frame)
    else throw cutTraces()
  }
  for (const { frame, inside } of frames.values()) if (frame.calls.length !== inside) throw cutTraces()
  return roots
}

function insideOf(subtraces: unknown): number {
  return typeof subtraces === 'number' ? subtraces : requireNumber(subtraces, 'subtraces of a trace')
}

function cutTraces(): UpstreamError {
  return new UpstreamError('bad_answer', 'The node left out traces of the block.')
}

/** Calls that failed have no result. */
function frameOfTrace(trace: Record<string, unknown>): CallFrame {
  const action = requireRecord(trace.action, 'action of a trace')
  const result = trace.result == null ? {} : requireRecord(trace.result, 'result of a trace')
  return frameOf({
    type: trace.type === 'call' ? action.callType : trace.type,
    from: action.from ?? action.address,
    to: action.to ?? result.address,
    value: action.value,
    input: action.input ?? action.init,
    output: result.output ?? result.code,
    gasUsed: result.gasUsed,
    error: trace.error,
  })
}

function typeOf(name: unknown): EvmCall['type'] | undefined {
  return types[String(name).toLowerCase()]
}

/** Only calls and creations move wei. Nodes differ in what they show for the others. */
function weiOf(type: EvmCall['type'] | undefined, value: unknown): string {
  if (type !== 'call' && type !== 'create') return '0'
  return value == null ? '0' : requireAmount(value, 'value of a trace')
}
