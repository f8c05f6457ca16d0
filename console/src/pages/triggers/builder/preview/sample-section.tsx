import { Button, Group, List, NumberInput, Stack, Text } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useState } from 'react'
import { Details } from '../../../../components/details.tsx'
import { ErrorNotice } from '../../../../components/error-notice.tsx'
import { Notice } from '../../../../components/notice.tsx'
import { isObject } from '../../../../forms/json.ts'
import { JsonField } from '../../../../forms/json-field.tsx'
import type { AddressSource } from '../../../../layouts/address/use-sources.ts'
import { specType } from '../../model/spec-kinds.ts'
import type { Builder } from '../state/builder-state.ts'
import type { TestRun } from '../state/use-test-run.ts'
import { ConditionParts } from './condition-parts.tsx'

type SampleSectionProps = {
  builder: Builder
  testRun: TestRun
  issues: Issue[]
  source: AddressSource | undefined
}

/** Gets a sample from the chain or from a block, or lets the user paste one. Getting one from the chain runs a full test. */
export function SampleSection({ builder, testRun, issues, source }: SampleSectionProps) {
  const { state, dispatch } = builder
  const type = specType(state.definition.triggerSpec)
  const hasBlocks = type !== 'timer' && type !== 'stream'
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {type !== 'stream' && (
          <Button size="xs" loading={testRun.isBusy} onClick={() => testRun.start({ kind: 'latest' })}>
            {hasBlocks ? 'Test on latest match' : 'Test timer'}
          </Button>
        )}
        {state.sample && (
          <Button
            size="xs"
            variant="default"
            disabled={testRun.isBusy}
            onClick={() => testRun.start({ kind: 'sample' })}
          >
            Test on sample
          </Button>
        )}
      </Group>
      {hasBlocks && <BlockTest testRun={testRun} />}
      <ErrorNotice error={testRun.error} />
      {testRun.result && testRun.status && <Tested result={testRun.result} problems={issues.length} source={source} />}
      <Details summary={state.sample ? 'Sample item' : 'Sample item (none yet)'}>
        <JsonField
          label="Sample item (JSON)"
          value={state.sample}
          accepts={isObject}
          refusal="Enter a JSON object."
          onChange={(sample) => dispatch({ type: 'sample', sample: isObject(sample) ? sample : undefined })}
        />
        {state.sample && state.definition.triggerSpec && (
          <Button
            mt="xs"
            size="xs"
            variant="default"
            onClick={() => dispatch({ type: 'changeSpec', part: { testInput: state.sample } })}
          >
            Save sample in trigger
          </Button>
        )}
      </Details>
    </Stack>
  )
}

function BlockTest({ testRun }: { testRun: TestRun }) {
  const [block, setBlock] = useState<number>()
  const [itemIndex, setItemIndex] = useState(0)
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <NumberInput
        label="Block"
        size="xs"
        flex={2}
        min={0}
        allowDecimal={false}
        hideControls
        value={block ?? ''}
        onChange={(value) => setBlock(typeof value === 'number' ? value : undefined)}
      />
      <NumberInput
        label="Item"
        size="xs"
        flex={1}
        min={0}
        allowDecimal={false}
        value={itemIndex}
        onChange={(value) => setItemIndex(typeof value === 'number' ? value : 0)}
      />
      <Button
        size="xs"
        variant="default"
        disabled={block === undefined || testRun.isBusy}
        onClick={() => block !== undefined && testRun.start({ kind: 'block', block, itemIndex })}
      >
        Test
      </Button>
    </Group>
  )
}

type TestedProps = { result: NonNullable<TestRun['result']>; problems: number; source: AddressSource | undefined }

function Tested({ result, problems, source }: TestedProps) {
  const calls = Object.entries(result.debug.providers)
  const tone = !result.valid ? 'bad' : problems > 0 ? 'warn' : 'good'
  return (
    <Notice tone={tone} title={verdictOf(result, problems)}>
      <Text size="sm">{result.description}</Text>
      <List size="sm" mt={4}>
        {result.issues.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            <code>{path}</code> {message}
          </List.Item>
        ))}
        {calls.map(([id, call]) => (
          <List.Item key={id}>
            <code>{id}</code> {resultOf(call)}
          </List.Item>
        ))}
      </List>
      {result.debug.activated === false && <ConditionParts parts={result.debug.conditions} source={source} />}
    </Notice>
  )
}

function resultOf({ ok, durationMs, error, skipped }: TestedProps['result']['debug']['providers'][string]): string {
  if (skipped) return 'was skipped: its runIf was not true'
  return ok ? `responded in ${Math.round(durationMs)} ms` : (error ?? 'failed')
}

/** A test runs only the scripts, so it may pass although other parts have issues. */
function verdictOf({ valid, debug }: TestedProps['result'], problems: number): string {
  if (!valid) return 'Test failed'
  if (problems > 0) return 'Test passed, but the trigger has other issues'
  return debug.activated === false ? 'Test passed. The item does not activate the trigger' : 'Test passed'
}
