import { Button, Group, List, NumberInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { isObject } from '../../forms/json.ts'
import { JsonField } from '../../forms/json-field.tsx'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { Notice } from '../../parts/notice.tsx'
import classes from './builder.module.css'
import type { Builder } from './builder-state.ts'
import { specType } from './spec-kinds.ts'
import type { Trial } from './use-trial.ts'

/** Where the sample comes from: the chain, a block, or typed in. Taking one from the chain is a test of everything. */
export function SamplePart({ builder, trial }: { builder: Builder; trial: Trial }) {
  const { state, dispatch } = builder
  const type = specType(state.definition.triggerSpec)
  const hasBlocks = type !== 'timer' && type !== 'stream'
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {type !== 'stream' && (
          <Button size="xs" loading={trial.isBusy} onClick={() => trial.start({ kind: 'latest' })}>
            {hasBlocks ? 'Test on the latest match' : 'Test on a tick'}
          </Button>
        )}
        {state.sample && (
          <Button size="xs" variant="default" disabled={trial.isBusy} onClick={() => trial.start({ kind: 'sample' })}>
            Test on this sample
          </Button>
        )}
      </Group>
      {hasBlocks && <BlockTest trial={trial} />}
      <ErrorNotice error={trial.error} />
      {trial.result && trial.status && <Tested result={trial.result} />}
      <details className={classes.sample}>
        <summary>Sample item{state.sample ? '' : ' (none yet: paste one)'}</summary>
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
      </details>
    </Stack>
  )
}

function BlockTest({ trial }: { trial: Trial }) {
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
        disabled={block === undefined || trial.isBusy}
        onClick={() => block !== undefined && trial.start({ kind: 'block', block, itemIndex })}
      >
        Test
      </Button>
    </Group>
  )
}

function Tested({ result }: { result: NonNullable<Trial['result']> }) {
  const calls = Object.entries(result.debug.providers)
  const title = !result.valid
    ? 'The test failed'
    : result.debug.activated === false
      ? 'It works; this item does not activate it'
      : 'It works'
  return (
    <Notice tone={result.valid ? 'good' : 'bad'} title={title}>
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
