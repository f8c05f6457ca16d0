import { base58 } from '@scure/base'
import { expect, test } from 'vitest'
import { readEmissions } from './emissions.ts'
import { eventTag } from './events-of-instructions.ts'
import type { Instruction } from './transaction.ts'

const [alpha, beta, precompile] = ['A', 'B', 'C'].map((letter) => letter.repeat(43)) as [string, string, string]

test('an event that is both logged and emitted by instruction counts once; two of each count twice', () => {
  const instructions = [top(alpha), inner(alpha, alpha, 'one'), inner(alpha, alpha, 'one')]
  const logs = [invoke(alpha, 1), data('one'), invoke(alpha, 2), success(alpha), data('one'), success(alpha)]
  expect(found(instructions, logs)).toEqual([`0 ${alpha} one`, `1 ${alpha} one`])
  expect(found(instructions.slice(0, 2), logs)).toEqual([`0 ${alpha} one`, `1 ${alpha} one`])
  expect(found(instructions, logs.slice(0, 2))).toEqual([`0 ${alpha} one`, `1 ${alpha} one`])
})

test('events of instructions are found even if the logs were truncated', () => {
  const instructions = [top(alpha), inner(alpha, alpha, 'one'), inner(alpha, alpha, 'two')]
  expect(found(instructions, [invoke(alpha, 1), data('one'), 'Log truncated'])).toEqual([
    `0 ${alpha} one`,
    `1 ${alpha} two`,
  ])
})

test('a logged event belongs to the running program, before and after it invokes other programs', () => {
  const logs = [invoke(alpha, 1), invoke(beta, 2), data('b'), success(beta), data('a'), success(alpha)]
  expect(found([top(alpha), inner(beta, alpha, '')], logs)).toEqual([`0 ${beta} b`, `1 ${alpha} a`])
})

test('logs and instructions are in order of execution, also beside programs that log nothing', () => {
  const instructions = [
    top(precompile),
    top(alpha),
    inner(alpha, alpha, 'first'),
    top(beta),
    inner(beta, beta, 'third'),
  ]
  const logs = [invoke(alpha, 1), invoke(alpha, 2), success(alpha), data('second'), success(alpha)]
  const rest = [invoke(beta, 1), invoke(beta, 2), success(beta), data('fourth'), success(beta)]
  expect(found(instructions, [...logs, ...rest])).toEqual([
    `0 ${alpha} first`,
    `1 ${alpha} second`,
    `2 ${beta} third`,
    `3 ${beta} fourth`,
  ])
})

test('an event that one program emits in the name of another is ignored', () => {
  const forged = [top(beta), inner(alpha, beta, 'forged'), { ...top(alpha), data: tagged('forged') }]
  const logs = [
    invoke(beta, 1),
    `Program log: Program ${alpha} invoke [2]`,
    `Program log: ${data('forged')}`,
    data('own'),
    success(beta),
  ]
  expect(found(forged, logs)).toEqual([`0 ${beta} own`])
})

test('events are accepted from a node that does not report the invoking program', () => {
  expect(found([top(alpha), { ...inner(alpha, alpha, 'one'), caller: null }], [])).toEqual([`0 ${alpha} one`])
})

test('several fields of one log line form one event, and text that is not base64 forms none', () => {
  const pieces = `${data('on')} ${Buffer.from('e').toString('base64')}`
  expect(found([top(alpha)], [data('outside'), invoke(alpha, 1), pieces, 'Program data: §', success(alpha)])).toEqual([
    `0 ${alpha} one`,
  ])
})

type Sent = Omit<Instruction, 'position' | 'path'>

function found(sent: Sent[], logs: string[]): string[] {
  const instructions = sent.map((instruction, position) => ({ ...instruction, position, path: String(position) }))
  const transaction = { index: 0, signature: 's', error: null, accountKeys: [], signers: [], instructions, logs }
  return readEmissions(transaction).map(
    ({ index, programId, data }) => `${index} ${programId} ${Buffer.from(data).toString()}`,
  )
}

function top(programId: string): Sent {
  return { programId, accounts: [], data: '' }
}

function inner(programId: string, caller: string, event: string): Sent {
  return { programId, caller, accounts: [], data: tagged(event) }
}

function tagged(event: string): string {
  return base58.encode(Uint8Array.from([...eventTag, ...Buffer.from(event)]))
}

function data(event: string): string {
  return `Program data: ${Buffer.from(event).toString('base64')}`
}

function invoke(programId: string, depth: number): string {
  return `Program ${programId} invoke [${depth}]`
}

function success(programId: string): string {
  return `Program ${programId} success`
}
