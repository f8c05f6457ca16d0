import { useMutation } from '@tanstack/react-query'
import { noTestInput } from '@tocsin/contract'
import { api, type Body } from '../../data/api.ts'

type Tested = Body<'testSubscription'>
type Asked = { deliver: boolean }

const blocksMax = 500
const isLacking = ({ message }: Tested['issues'][number]) => message === noTestInput

/** Tries a subscription on its trigger's sample; where the author left none, on the latest item of the chain that fits. */
export function useMessageTest(id: string) {
  return useMutation<Tested, Error, Asked>({ mutationFn: (asked) => test(id, asked) })
}

async function test(id: string, { deliver }: Asked): Promise<Tested> {
  const first = await api.testSubscription({ id, body: { deliver } })
  const lacking = first.issues.filter(isLacking)
  // One item says nothing to several triggers.
  const only = lacking.length === 1 && first.results.length === 0 ? lacking[0] : undefined
  const input = only && (await findItem(only.path))
  if (input) return api.testSubscription({ id, body: { input, deliver } })
  return { ...first, issues: first.issues.map((issue) => (isLacking(issue) ? { ...issue, message: unknown } : issue)) }
}

const unknown = 'has no sample of its own, and none was found on its chain. Its message is seen when it first happens.'

async function findItem(fullname: string): Promise<Record<string, unknown> | undefined> {
  const { triggerSpec, filtersSchema } = await api.getTrigger({ fullname })
  if (!triggerSpec) return undefined
  const { input } = await api.findLatestBlock({ body: { triggerSpec, filtersSchema, maxBlocks: blocksMax } })
  return input
}
