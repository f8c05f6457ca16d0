import { parseExactJson } from '../base/exact-json.ts'
import { parseForeignJson } from '../base/foreign-json.ts'
import { JsonTooLarge } from '../base/json-stream.ts'
import { UpstreamError } from './upstream-error.ts'

/** The client side of JSON-RPC 2.0, independent of the transport. */

/** A node answered with an error. Its cause may be the request or the node. */
export class RpcError extends UpstreamError {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super('failed', message)
    this.code = code
    this.data = data
  }
}

export function rpcRequest(id: number, method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: params ?? [] })
}

/** `params` belongs to a notification, which has no id. */
export type RpcAnswer = { id: unknown; result?: unknown; error?: unknown; params?: unknown }

/** Parses one answer. Throws `bad_answer` if the text is not JSON-RPC. */
export async function readRpcMessage(text: string, host: string): Promise<RpcAnswer> {
  return readAnswer(await parse(text, host), host)
}

/** Parses one message of at most 64 KiB at once. */
export function readSmallRpcMessage(text: string, host: string): RpcAnswer {
  try {
    return readAnswer(parseExactJson(text), host)
  } catch (error) {
    throw error instanceof UpstreamError ? error : notJson(text, host, error)
  }
}

/** Parses the answers to a batch, in any order. A single answer means that the node refused the whole batch. */
export async function readRpcMessages(text: string, host: string): Promise<RpcAnswer[] | RpcAnswer> {
  const value = await parse(text, host)
  return Array.isArray(value) ? value.map((each) => readAnswer(each, host)) : readAnswer(value, host)
}

/** One answer whose JSON was parsed before. */
export function readRpcValue(value: unknown, host: string): RpcAnswer {
  return readAnswer(value, host)
}

function readAnswer(value: unknown, host: string): RpcAnswer {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UpstreamError('bad_answer', `${host} answered JSON that is not JSON-RPC.`)
  return { id: undefined, ...value }
}

/** Our ids are numbers. Some nodes answer them as texts. */
export function idOf({ id }: RpcAnswer): number | undefined {
  if (typeof id === 'string' && /^\d{1,15}$/.test(id)) return Number(id)
  return typeof id === 'number' ? id : undefined
}

/** Returns the result of a request or throws the node's error. Without `id` any id is accepted. */
export function requireResult(answer: RpcAnswer, host: string, id?: number): unknown {
  // A node that could not read the request answers its error with a null id.
  const isOurs = id === undefined || idOf(answer) === id || (answer.id === null && answer.error)
  if (!isOurs) throw new UpstreamError('bad_answer', `${host} answered a request that was not asked: the id is wrong.`)
  if (answer.error !== undefined && answer.error !== null) throw readError(answer.error, host)
  if (answer.result === undefined) throw new UpstreamError('bad_answer', `${host} answered neither result nor error.`)
  return answer.result
}

function readError(error: unknown, host: string): RpcError {
  const known = typeof error === 'object' && error !== null ? error : { message: error }
  const message = 'message' in known && typeof known.message === 'string' ? known.message : 'an error without a message'
  const code = 'code' in known && typeof known.code === 'number' ? known.code : 0
  return new RpcError(code, `${host} answered: ${message.slice(0, 500)}`, 'data' in known ? known.data : undefined)
}

async function parse(text: string, host: string): Promise<unknown> {
  try {
    return await parseForeignJson(text)
  } catch (error) {
    throw notJson(text, host, error)
  }
}

function notJson(text: string, host: string, error: unknown): UpstreamError {
  if (error instanceof JsonTooLarge)
    return new UpstreamError('too_large', `${host} answered too much: ${error.message}.`)
  const what = /^\s*</.test(text) ? 'a web page instead of JSON-RPC' : 'something that is not JSON'
  return new UpstreamError('bad_answer', `${host} answered ${what}.`)
}
