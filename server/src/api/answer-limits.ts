import { weighs } from '@tocsin/contract'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../domain/refusal.ts'

const answerMegabytesMax = 8
export const answerBytesMax = answerMegabytesMax * 1024 * 1024

/** The JSON of an answer. Values that would be too large are refused before they are written. */
export function toJson(body: unknown): string {
  if (weighs(body, answerBytesMax) > answerBytesMax) throw tooLarge()
  const text = JSON.stringify(body)
  if (Buffer.byteLength(text) > answerBytesMax) throw tooLarge()
  return text
}

function tooLarge(): Refusal {
  const message = `The answer would be larger than ${answerMegabytesMax} MB. Ask for less, such as by a smaller limit.`
  return new Refusal('answer_too_large', message)
}

/** Smaller answers fit into the buffers of the operating system. */
const smallBytes = 64 * 1024
export type WriteLimit = { leastMs: number; bytesPerMs: number }
/** 30 s, and a second for each 100 kB. */
const usualLimit: WriteLimit = { leastMs: 30_000, bytesPerMs: 100 }

/** A reader who takes too long loses the connection, so that nobody fills the memory with answers that are not read. */
export function addWriteLimit(app: FastifyInstance, { leastMs, bytesPerMs }: WriteLimit = usualLimit): void {
  app.addHook<unknown>('onSend', (_request, reply, payload, done) => {
    if ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > smallBytes) {
      const timer = setTimeout(() => reply.raw.destroy(), leastMs + payload.length / bytesPerMs).unref()
      reply.raw.once('close', () => clearTimeout(timer))
    }
    done(null, payload)
  })
}
