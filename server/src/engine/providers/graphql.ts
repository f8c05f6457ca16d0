import type { Issue } from '@tocsin/contract'
import { parseForeignJson } from '../base/foreign-json.ts'
import { JsonTooLarge } from '../base/json-stream.ts'
import { readOwn } from '../base/paths.ts'
import { queryWithPlaceholder } from '../base/placeholders.ts'
import { type Call, ProviderFailure, type ProviderOf } from './context.ts'
import { describeTarget } from './describe.ts'
import { checkTarget, isSuccess, lowerCase, requireSuccess } from './http.ts'
import { providerRules } from './rules.ts'

export const graphql = providerRules('graphql', (provider) => ({
  call: (call) => fetchGraphql(provider, call),
  describe: () => ({ method: 'POST', ...describeTarget(provider) }),
  check: (path) => [...checkTarget(provider, path), ...checkQuery(provider.query, `${path}.query`)],
  isRead: !/\bmutation\b/.test(provider.query),
  weight: 2,
}))

function checkQuery(query: string, path: string): Issue[] {
  return query.includes('{{') ? [{ path, message: queryWithPlaceholder }] : []
}

/** Returns `data`. Errors next to data are ignored; errors without data fail the provider. */
async function fetchGraphql(provider: ProviderOf<'graphql'>, call: Call): Promise<unknown> {
  const { url, query, variables, headers = {} } = provider
  const response = await call.context.door.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...lowerCase(headers) },
    body: JSON.stringify({ query, ...(variables && { variables }) }),
    timeoutMs: call.timeoutMs,
    responseBytesMax: call.responseBytesMax,
  })
  const answer = await readAnswer(response.text)
  const data = readOwn(answer, 'data')
  if (data !== undefined && data !== null) return data
  const message = firstError(readOwn(answer, 'errors'))
  if (message !== undefined)
    throw new ProviderFailure(`the query failed: ${message.slice(0, 300)}`, false, !isSuccess(response.status))
  requireSuccess(response)
  throw new ProviderFailure(`${new URL(response.url).host} sent an answer that is not GraphQL`)
}

async function readAnswer(text: string): Promise<unknown> {
  try {
    return await parseForeignJson(text)
  } catch (error) {
    if (error instanceof JsonTooLarge) throw new ProviderFailure(error.message)
    return undefined
  }
}

function firstError(errors: unknown): string | undefined {
  if (!Array.isArray(errors) || errors.length === 0) return undefined
  const message = readOwn(errors[0], 'message')
  return typeof message === 'string' ? message : 'an error without a message'
}
