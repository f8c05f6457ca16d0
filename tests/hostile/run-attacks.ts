import type { NodeAttack } from './node-attacks.ts'
import { type Attack, faultOf, sendAttack } from './send.ts'

export type Played = { name: string; status: number[]; faults: string[] }

/** Plays the attacks one after the other, each by the next of the attackers. */
export async function runAttacks(
  url: string,
  tokens: string[],
  attacks: (Attack | NodeAttack)[],
  played: (result: Played) => Promise<void> | void,
): Promise<void> {
  for (const [at, attack] of attacks.entries()) {
    const token = tokens[at % tokens.length] ?? ''
    const { requests, close } = 'start' in attack ? await attack.start() : { requests: [attack], close: undefined }
    try {
      const outcomes = await playRequests(url, token, requests)
      await played({ name: attack.name, ...outcomes })
    } finally {
      await close?.()
    }
  }
}

/** The first and the last request are sent alone: they make what the others need and remove it. */
async function playRequests(url: string, token: string, requests: Attack[]): Promise<Omit<Played, 'name'>> {
  const outcomes = []
  for (const together of [requests.slice(0, 1), requests.slice(1, -1), requests.slice(1).slice(-1)])
    outcomes.push(...(await Promise.all(together.map((request) => play(url, token, request)))))
  return {
    status: outcomes.map(({ status }) => status),
    faults: outcomes.flatMap(({ fault }) => (fault === undefined ? [] : [fault])),
  }
}

async function play(
  url: string,
  token: string,
  request: Attack,
): Promise<{ status: number; fault: string | undefined }> {
  try {
    const outcome = await sendAttack(url, token, request)
    return { status: outcome.status, fault: faultOf(outcome) }
  } catch (error) {
    // A body beyond the limit may be refused by closing the connection.
    return { status: 0, fault: `${request.method} ${request.path}: ${String((error as Error).cause ?? error)}` }
  }
}
