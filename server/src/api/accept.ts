import type { FastifyRequest } from 'fastify'
import { header } from './authenticate.ts'

/** The content encodings that we send, the best one first. */
export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** The first of `offered` that the caller accepts. */
export function acceptedEncoding(request: FastifyRequest, offered: readonly Encoding[]): Encoding | undefined {
  const weights = weightsOf(header(request, 'accept-encoding'))
  return offered.find((encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0)
}

/** True if the caller names `type` in `Accept`, and does not prefer plain JSON. */
export function prefersType(request: FastifyRequest, type: string): boolean {
  const weights = weightsOf(header(request, 'accept'))
  const weight = weights.get(type) ?? 0
  return weight > 0 && weight >= (weights.get('application/json') ?? 0)
}

/** The weight of each name in the header. A weight of 0 refuses it. */
function weightsOf(text = ''): Map<string, number> {
  return new Map(
    text.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [name, weight === undefined ? 1 : Number(weight)]
    }),
  )
}
