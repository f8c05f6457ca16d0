import { useMutation } from '@tanstack/react-query'
import { noTestInput } from '@tocsin/contract'
import { useRef } from 'react'
import { api, type Body } from '../../data/api.ts'

type Tested = Body<'testSubscription'>
type Overrides = NonNullable<Parameters<typeof api.testSubscription>[0]['body']>['overrides']
/** `overrides` are message texts that are not saved yet. */
type TestOptions = { deliver: boolean; overrides?: Overrides }
/** The item that each trigger was tested on. */
type Inputs = Record<string, Record<string, unknown>>

const blocksMax = 500
const isMissingInput = ({ message }: Tested['issues'][number]) => message === noTestInput

/**
 * Tests a subscription on its trigger's sample, or on the latest matching item of the chain if there is no sample.
 * A test with delivery uses the items that are shown, and sends the message even if they do not match.
 */
export function useTestMessage(id: string) {
  const shown = useRef<Inputs>(undefined)
  return useMutation<Tested, Error, TestOptions>({
    mutationFn: async ({ deliver, overrides }) => {
      const own = overrides && { overrides }
      if (overrides && shown.current) return api.testSubscription({ id, body: { inputs: shown.current, ...own } })
      if (!deliver || shown.current === undefined) {
        const tested = await show(id, own)
        shown.current = inputsOf(tested)
        if (!deliver) return tested
      }
      return api.testSubscription({ id, body: { inputs: shown.current, deliver: true, always: true } })
    },
  })
}

async function show(id: string, own: { overrides?: Overrides } = {}): Promise<Tested> {
  const first = await api.testSubscription({ id, body: own })
  const found = await Promise.all(first.issues.filter(isMissingInput).map(({ path }) => findItem(path)))
  const inputs = Object.fromEntries(found.flat())
  if (Object.keys(inputs).length > 0) return api.testSubscription({ id, body: { inputs, ...own } })
  return {
    ...first,
    issues: first.issues.map((issue) => (isMissingInput(issue) ? { ...issue, message: noSample } : issue)),
  }
}

const noSample = 'has no sample, and no recent item on its chain matches.'

function inputsOf({ results }: Tested): Inputs {
  return Object.fromEntries(results.flatMap(({ trigger, input }) => (input ? [[trigger, input] as const] : [])))
}

/** The service searches the trigger's source, which the subscriber may not be allowed to read. */
async function findItem(trigger: string): Promise<[string, Record<string, unknown>][]> {
  const { input } = await api.findLatestBlock({ body: { trigger, maxBlocks: blocksMax } })
  return input ? [[trigger, input]] : []
}
