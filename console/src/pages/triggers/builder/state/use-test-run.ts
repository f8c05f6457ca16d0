import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Body } from '../../../../data/api.ts'
import { tested } from '../../model/definition.ts'
import { specType } from '../../model/spec-kinds.ts'
import type { Builder } from './builder-state.ts'

export type Where = { kind: 'latest' } | { kind: 'block'; block: number; itemIndex: number } | { kind: 'sample' }
type Result = Body<'testTrigger'> & { said: string }
/** How the last test went, and of which definition. */
type Verdict = { of: string; isReady: boolean; issue: string | undefined }

export type TestRun = ReturnType<typeof useTestRun>

/** Tests the whole definition on a real item: providers are called and the item becomes the sample. */
export function useTestRun({ state, dispatch }: Builder) {
  const [verdict, setVerdict] = useState<Verdict>()
  const run = useMutation<Result, Error, Where>({
    mutationFn: (where) => test(state, where),
    onSuccess: (result) => {
      if (result.input) dispatch({ type: 'sample', sample: result.input })
      setVerdict({ of: tested(state.definition), isReady: result.valid, issue: result.issues[0]?.message })
    },
  })
  const isCurrent = verdict?.of === tested(state.definition)
  return {
    start: (where: Where) => run.mutate(where),
    isBusy: run.isPending,
    error: run.error,
    result: run.data,
    /** What a publish may say about its test: nothing when the definition has changed since. */
    status: verdict && isCurrent ? statusOf(verdict) : undefined,
  }
}

function statusOf({ isReady, issue }: Verdict) {
  return isReady
    ? ({ status: 'ready', source: 'test' } as const)
    : ({ status: 'broken', source: 'test', issue: issue ?? 'the test failed' } as const)
}

async function test({ definition, inputs, sample }: Builder['state'], where: Where): Promise<Result> {
  const { triggerSpec, providers, transform, outputSchema = null, activation, filtersSchema, project } = definition
  const body = { triggerSpec, providers, transform, outputSchema, activation, inputs, project }
  if (where.kind === 'block') {
    const { block, itemIndex } = where
    const result = await api.testTriggerBlock({ body: { ...body, block, itemIndex, filtersSchema } })
    return { ...result, said: `Item ${itemIndex} of ${result.sourceEventsCount ?? 0} in block ${block}` }
  }
  if (where.kind === 'sample' || specType(triggerSpec) === 'stream')
    return { ...(await api.testTrigger({ body: { ...body, input: sample ?? {} } })), said: 'The sample below' }
  return testOnLatest(definition, body)
}

type TestBody = Omit<Parameters<typeof api.testTrigger>[0]['body'], 'input' | 'test'>

async function testOnLatest({ triggerSpec, filtersSchema }: Builder['state']['definition'], body: TestBody) {
  const found = await api.findLatestBlock({
    body: { triggerSpec: triggerSpec ?? {}, inputs: body.inputs, filtersSchema, maxBlocks: 1000 },
  })
  const { matched, input, matchedBlock, checkedBlocks, latestBlock, valid, issues } = found
  if (!matched || !input) {
    const message = `no item matched in the last ${checkedBlocks} blocks, up to ${latestBlock ?? 'the head'}; try a block you know`
    throw new Error(valid ? `There is no sample: ${message}.` : issues.map((issue) => issue.message).join('; '))
  }
  const result = await api.testTrigger({ body: { ...body, input } })
  return {
    ...result,
    input,
    said: matchedBlock === undefined ? 'A tick of now' : `Latest match: block ${matchedBlock}`,
  }
}
