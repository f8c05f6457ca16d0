import { operationExamples, type Route, type RouteName, routes } from '@tocsin/contract'
import { ApiError, type Client } from '@tocsin/sdk'
import { expect } from 'vitest'
import { personFor } from './caller.ts'
import { prepareCalls } from './calls.ts'
import { fixedValues } from './fixed-values.ts'
import { checkedClient, type Harness, type Team } from './index.ts'

type Recorded = { params?: object; query?: object; body?: unknown; reply?: unknown }

/** The answers to the examples of the contract, which are sent in the order of their table. */
export async function recordAnswers(house: Harness): Promise<Record<string, Recorded>> {
  const recorded: Record<string, Recorded> = {}
  let caller: Client = house.nobody
  for (const [name, { params, body, reply: written }] of Object.entries(operationExamples) as [RouteName, Recorded][]) {
    const reply = await replyOf(caller, name, { ...params, ...(body !== undefined && { body }) })
    if (name === 'signUp') caller = checkedClient(house.url, (reply as { token: string }).token)
    if (written === undefined) recorded[name] = fixedValues({ reply }, house.url)
    else expect(reply).toMatchObject(Object(written))
  }
  return recorded
}

/** A request and its answer for every operation without an example in the contract. */
export async function recordCalls(house: Harness, team: Team): Promise<Record<string, Recorded>> {
  const calls = await prepareCalls(house, team)
  const recorded: Record<string, Recorded> = {}
  for (const [name, { reply, bodyOptional }] of Object.entries<Route>(routes) as [RouteName, Route][]) {
    if (operationExamples[name]) continue
    const person = await personFor(house, name, team.owner)
    const args = (await calls[name](person)) as Record<string, unknown>
    const { query, body = bodyOptional && {}, ...params } = args
    const hasJson = reply !== 'empty' && reply !== 'picture' && name !== 'streamEvents'
    const answer = hasJson ? await replyOf(person, name, args) : undefined
    recorded[name] = fixedValues({ params, query: query as object, body, reply: answer }, house.url)
  }
  return recorded
}

/** Undefined for an operation whose node does not answer. */
async function replyOf(caller: Client, name: RouteName, args: object): Promise<unknown> {
  try {
    return await (caller[name] as (args: object) => Promise<unknown>)(args)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'upstream_failed') return undefined
    throw error
  }
}
