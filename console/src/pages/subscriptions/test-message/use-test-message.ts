import { useMutation } from '@tanstack/react-query'
import { noTestInput } from '@tocsin/contract'
import { useRef } from 'react'
import { api, type Body } from '../../../data/api.ts'

type Tested = Body<'testSubscription'>
type Asked = { deliver: boolean }
/** The item that each trigger was tried on. */
type Inputs = Record<string, Record<string, unknown>>

const blocksMax = 500
const isLacking = ({ message }: Tested['issues'][number]) => message === noTestInput

/**
 * Tries a subscription on its trigger's sample; where the author left none, on the latest matching item of the chain.
 * A test that is sent uses the items that are shown, and sends whether they match or not.
 */
export function useTestMessage(id: string) {
  const shown = useRef<Inputs>(undefined)
  return useMutation<Tested, Error, Asked>({
    mutationFn: async ({ deliver }) => {
      if (!deliver || shown.current === undefined) {
        const tested = await show(id)
        shown.current = inputsOf(tested)
        if (!deliver) return tested
      }
      return api.testSubscription({ id, body: { inputs: shown.current, deliver: true, always: true } })
    },
  })
}

async function show(id: string): Promise<Tested> {
  const first = await api.testSubscription({ id, body: {} })
  const found = await Promise.all(first.issues.filter(isLacking).map(({ path }) => findItem(path)))
  const inputs = Object.fromEntries(found.flat())
  if (Object.keys(inputs).length > 0) return api.testSubscription({ id, body: { inputs } })
  return { ...first, issues: first.issues.map((issue) => (isLacking(issue) ? { ...issue, message: unknown } : issue)) }
}

const unknown = 'has no sample, and no recent match was found on its chain.'

function inputsOf({ results }: Tested): Inputs {
  return Object.fromEntries(results.flatMap(({ trigger, input }) => (input ? [[trigger, input] as const] : [])))
}

/** Through the trigger's own source, which the subscriber may not be able to read himself. */
async function findItem(trigger: string): Promise<[string, Record<string, unknown>][]> {
  const { input } = await api.findLatestBlock({ body: { trigger, maxBlocks: blocksMax } })
  return input ? [[trigger, input]] : []
}
