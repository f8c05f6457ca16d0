import { type ErrorCode, errorTable } from '../base/errors.ts'
import type { RouteName } from '../routes/index.ts'
import { type HeaderName, headers, rateHeaderNames } from './headers.ts'
import { type Json, refTo } from './json-schema.ts'
import { refusalsOf } from './refusals.ts'

const codes = Object.keys(errorTable) as ErrorCode[]
/** Every operation can fail with these. */
const failures = ['internal', 'unavailable'] as const

export const errorSchemas: Json = {
  Error: {
    type: 'object',
    description: 'The body of every error.',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'details', 'requestId'],
        properties: {
          code: {
            type: 'string',
            enum: codes,
            description: 'What went wrong, for programs. Later versions may add codes.',
          },
          message: { type: 'string', description: 'What went wrong, for people.' },
          details: {
            type: 'object',
            description: 'What helps to correct the request, such as `issues: [{path, message}]`.',
          },
          requestId: { type: 'string', description: 'The id of the request, as in `X-Request-Id`.' },
        },
      },
    },
  },
  Problem: {
    type: 'object',
    description: 'The same error as RFC 9457 problem details, for callers that accept `application/problem+json`.',
    required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
    properties: {
      type: { type: 'string', format: 'uri-reference', description: 'The address of the error in the reference.' },
      title: { type: 'string', description: 'What this kind of error means.' },
      status: { type: 'integer', description: 'The HTTP status.' },
      detail: { type: 'string', description: 'What went wrong this time.' },
      instance: { type: 'string', format: 'uri-reference', description: 'The id of the request as a URN.' },
      code: { type: 'string', enum: codes },
      details: { type: 'object' },
      requestId: { type: 'string' },
    },
  },
}

/** One example for each code that an operation can answer. The answers refer to them. */
export function errorExamples(names: readonly RouteName[]): Json {
  const used = new Set<ErrorCode>([...names.flatMap(refusalsOf), ...failures])
  return Object.fromEntries(codes.filter((code) => used.has(code)).map((code) => [code, errorExample(code)]))
}

function errorExample(code: ErrorCode): Json {
  const { message } = errorTable[code]
  return { summary: message, value: { error: { code, message, details: {}, requestId: 'c0ffee00-0000' } } }
}

/** The errors of an operation, by status. */
export function errorResponses(name: RouteName): Json {
  const codes = refusalsOf(name)
  const statuses = [...new Set(codes.map((code) => errorTable[code].status))].sort((one, other) => one - other)
  const responseOf = (status: number) =>
    errorResponse(
      status,
      codes.filter((code) => errorTable[code].status === status),
    )
  return {
    ...Object.fromEntries(statuses.map((status) => [status, responseOf(status)])),
    default: {
      description:
        'The service failed (`internal`) or cannot reach its store (`unavailable`; `Retry-After` says when to ask again).',
      headers: headers(['X-Request-Id', 'Retry-After']),
      content: errorContent(failures),
    },
  }
}

const ownHeaders: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', ...rateHeaderNames],
}

function errorResponse(status: number, codes: ErrorCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].message}`).join(' '),
    headers: headers(['X-Request-Id', ...(ownHeaders[status] ?? [])]),
    content: errorContent(codes),
  }
}

function errorContent(codes: readonly ErrorCode[]): Json {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  return {
    'application/json': { schema: refTo('Error'), examples },
    'application/problem+json': { schema: refTo('Problem') },
  }
}
