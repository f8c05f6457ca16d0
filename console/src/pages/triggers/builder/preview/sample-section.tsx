import { Button, Group, List, NumberInput, Stack, Text } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useState } from 'react'
import { Details } from '../../../../components/details.tsx'
import { ErrorNotice } from '../../../../components/error-notice.tsx'
import { Notice } from '../../../../components/notice.tsx'
import { isObject } from '../../../../forms/json.ts'
import { JsonField } from '../../../../forms/json-field.tsx'
import { specType } from '../../model/spec-kinds.ts'
import type { Builder } from '../state/builder-state.ts'
import type { TestRun } from '../state/use-test-run.ts'

/** Where the sample comes from: the chain, a block, or typed in. Taking one from the chain is a test of everything. */
export function SampleSection({ builder, testRun, issues }: { builder: Builder; testRun: TestRun; issues: Issue[] }) {
  const { state, dispatch } = builder
  const type = specType(state.definition.triggerSpec)
  const hasBlocks = type !== 'timer' && type !== 'stream'
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {type !== 'stream' && (
          <Button size="xs" loading={testRun.isBusy} onClick={() => testRun.start({ kind: 'latest' })}>
            {hasBlocks ? 'Test on the latest match' : 'Test on a tick'}
          </Button>
        )}
        {state.sample && (
          <Button
            size="xs"
            variant="default"
            disabled={testRun.isBusy}
            onClick={() => testRun.start({ kind: 'sample' })}
          >
            Test on this sample
          </Button>
        )}
      </Group>
      {hasBlocks && <BlockTest testRun={testRun} />}
      <ErrorNotice error={testRun.error} />
      {testRun.result && testRun.status && <Tested result={testRun.result} problems={issues.length} />}
      <Details summary={state.sample ? 'Sample item' : 'Sample item (none yet: paste one)'}>
        <JsonField
          label="Sample item, JSON"
          value={state.sample}
          accepts={isObject}
          refusal="A source item is an object."
          onChange={(sample) => dispatch({ type: 'sample', sample: isObject(sample) ? sample : undefined })}
        />
        {state.sample && state.definition.triggerSpec && (
          <Button
            mt="xs"
            size="xs"
            variant="default"
            onClick={() => dispatch({ type: 'changeSpec', part: { testInput: state.sample } })}
          >
            Keep it with the trigger
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

type TestedProps = { result: NonNullable<TestRun['result']>; problems: number }

function Tested({ result, problems }: TestedProps) {
  const calls = Object.entries(result.debug.providers)
  const tone = !result.valid ? 'bad' : problems > 0 ? 'warn' : 'good'
  return (
    <Notice tone={tone} title={verdictOf(result, problems)}>
      <Text size="sm">{result.said}</Text>
      <List size="sm" mt={4}>
        {result.issues.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            <code>{path}</code> {message}
          </List.Item>
        ))}
        {calls.map(([id, { ok, durationMs, error }]) => (
          <List.Item key={id}>
            <code>{id}</code> {ok ? `answered in ${Math.round(durationMs)} ms` : (error ?? 'failed')}
          </List.Item>
        ))}
      </List>
    </Notice>
  )
}

/** A test runs the scripts alone, so it may pass while another part cannot be published. */
function verdictOf({ valid, debug }: TestedProps['result'], problems: number): string {
  if (!valid) return 'The test failed'
  if (problems > 0) return 'The test passed, but the trigger has problems elsewhere'
  return debug.activated === false ? 'It works; this item does not activate it' : 'It works'
}
