import { useMutation } from '@tanstack/react-query'
import { TriggerConditions } from '@tocsin/contract'
import { useState } from 'react'
import { api, type Body } from '../../../../data/api.ts'
import { type Definition, tested } from '../../model/definition.ts'
import { specType } from '../../model/spec-kinds.ts'
import type { Builder } from './builder-state.ts'

export type TestTarget = { kind: 'latest' } | { kind: 'block'; block: number; itemIndex: number } | { kind: 'sample' }
type Result = Body<'testTrigger'> & { description: string }
/** A result, and the definition that was tested: the user may have changed it before the answer came. */
type Finished = Result & { definition: Definition }
/** The result of the last test, and the definition that it tested. */
type Verdict = { of: string; isReady: boolean; issue: string | undefined }

export type TestRun = ReturnType<typeof useTestRun>

/** Tests the whole definition on a real item. It calls the providers, and the item becomes the sample. */
export function useTestRun({ state, dispatch }: Builder) {
  const [verdict, setVerdict] = useState<Verdict>()
  const run = useMutation<Finished, Error, TestTarget>({
    mutationFn: async (target) => ({ ...(await test(state, target)), definition: state.definition }),
    onSuccess: ({ input, definition, valid, issues }) => {
      if (input) dispatch({ type: 'sample', sample: input, spec: definition.triggerSpec })
      setVerdict({ of: tested(definition), isReady: valid, issue: issues[0]?.message })
    },
  })
  const isCurrent = verdict !== undefined && verdict.of === tested(state.definition)
  return {
    start: (target: TestTarget) => run.mutate(target),
    isBusy: run.isPending,
    error: run.error,
    result: run.data,
    /** The test status for a publish; undefined if the definition changed since the test. */
    status: isCurrent ? statusOf(verdict) : undefined,
  }
}

function statusOf({ isReady, issue }: Verdict) {
  return isReady
    ? ({ status: 'ready', source: 'test' } as const)
    : ({ status: 'broken', source: 'test', issue: issue ?? 'The test failed' } as const)
}

async function test({ definition, inputs, sample }: Builder['state'], target: TestTarget): Promise<Result> {
  const { triggerSpec, providers, transform, outputSchema = null, filtersSchema, project } = definition
  const { activation, conditions, sourceBindings } = definition
  const body = {
    ...{ triggerSpec, sourceBindings, providers, transform, outputSchema },
    ...{ activation, conditions, inputs, project },
  }
  if (target.kind === 'block') {
    const { block, itemIndex } = target
    const result = await api.testTriggerBlock({ body: { ...body, block, itemIndex, filtersSchema } })
    return { ...result, description: `Item ${itemIndex} of ${result.sourceEventsCount ?? 0} in block ${block}` }
  }
  if (target.kind === 'sample' || specType(triggerSpec) === 'stream')
    return {
      ...(await api.testTrigger({ body: { ...body, input: sample ?? {} } })),
      description: 'Tested on the sample below',
    }
  return testOnLatest(definition, body)
}

type TestBody = Omit<Parameters<typeof api.testTrigger>[0]['body'], 'input' | 'test'>

async function testOnLatest(definition: Builder['state']['definition'], body: TestBody) {
  const { triggerSpec, sourceBindings, filtersSchema } = definition
  // Conditions that are not finished would refuse the whole search. The test below names their issues.
  const conditions = TriggerConditions.safeParse(definition.conditions ?? {}).data
  const found = await api.findLatestBlock({
    body: {
      ...{ triggerSpec: triggerSpec ?? {}, sourceBindings, inputs: body.inputs, filtersSchema },
      ...{ conditions, maxBlocks: 1000 },
    },
  })
  const { matched, input, matchedBlock, checkedBlocks, latestBlock, valid, issues } = found
  if (!matched || !input) {
    const message = `No item matched in the last ${checkedBlocks} blocks, up to ${latestBlock ?? 'the latest block'}. Enter a block that contains a match.`
    throw new Error(valid ? message : issues.map((issue) => issue.message).join('; '))
  }
  const result = await api.testTrigger({ body: { ...body, input } })
  return {
    ...result,
    input,
    description: matchedBlock === undefined ? 'Tested on a timer event of now' : `Latest match: block ${matchedBlock}`,
  }
}
