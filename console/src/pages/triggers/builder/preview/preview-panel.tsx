import { Group, List, Loader, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { Details } from '../../../../components/details.tsx'
import { ErrorNotice } from '../../../../components/error-notice.tsx'
import { JsonView } from '../../../../components/json-view.tsx'
import { Status } from '../../../../components/status.tsx'
import { readJson } from '../../../../forms/json.ts'
import { readField } from '../../../../forms/schema-editor/schema-field.ts'
import { AddressJson } from '../../../../layouts/address/address-json.tsx'
import { type AddressSource, useSources } from '../../../../layouts/address/use-sources.ts'
import { sourceOf } from '../../model/spec-kinds.ts'
import type { Builder } from '../state/builder-state.ts'
import { type Preview, readOutput } from '../state/use-preview.ts'
import type { TestRun } from '../state/use-test-run.ts'
import { ConditionParts } from './condition-parts.tsx'
import classes from './preview-panel.module.css'
import { SampleSection } from './sample-section.tsx'

type PreviewPanelProps = { builder: Builder; preview: Preview; testRun: TestRun; issues: Issue[] }

export function PreviewPanel({ builder, preview, testRun, issues }: PreviewPanelProps) {
  const source = useSources().find(sourceOf(builder.state.definition.triggerSpec))
  return (
    <aside className={classes.panel} aria-label="Test">
      <Stack gap="md">
        <Title order={2}>Test</Title>
        <SampleSection builder={builder} testRun={testRun} issues={issues} source={source} />
        <InputValues builder={builder} />
        <Outcome preview={preview} hasSample={builder.state.sample !== undefined} source={source} />
      </Stack>
    </aside>
  )
}

type OutcomeProps = { preview: Preview; hasSample: boolean; source: AddressSource | undefined }

/** The live preview: the result of the scripts on the sample. */
function Outcome({ preview: { result, error, isBehind }, hasSample, source }: OutcomeProps) {
  if (!hasSample)
    return (
      <Text size="sm" c="dimmed">
        Get a sample to see the result here, live while you type.
      </Text>
    )
  return (
    <section aria-label="Live preview" aria-busy={isBehind}>
      <Group justify="space-between" mb="xs">
        <Title order={3} size="h5">
          Live preview
        </Title>
        {isBehind ? <Loader size={14} role="status" aria-label="Updating" /> : result && <Verdict result={result} />}
      </Group>
      <ErrorNotice error={error} />
      {result && <Result result={result} source={source} />}
    </section>
  )
}

type Shown = NonNullable<Preview['result']>

function Verdict({ result }: { result: Shown }) {
  if (!result.valid) return <Status value="failed" label="Fails" />
  if (result.debug.activated === false) return <Status value="paused" label="Not activated" />
  return result.output ? <Status value="ok" label="Fires" /> : <Status value="paused" label="No alert" />
}

function Result({ result, source }: { result: Shown; source: AddressSource | undefined }) {
  const { raw, human, count } = readOutput(result.output)
  const isSame = JSON.stringify(raw) === JSON.stringify(human)
  return (
    <Stack gap="sm">
      {result.issues.length > 0 && (
        <List size="sm" spacing={4}>
          {result.issues.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </List.Item>
          ))}
        </List>
      )}
      <ConditionParts parts={result.debug.conditions} source={source} />
      {raw !== undefined && (
        <div>
          <Text size="sm" c="dimmed">
            {isSame ? 'Raw output and display values' : 'Raw output'}
            {count > 1 && ` (first of ${count})`}
          </Text>
          <AddressJson value={raw} label="raw output" maxHeight={240} source={source} />
        </div>
      )}
      {human !== undefined && !isSame && (
        <div>
          <Text size="sm" c="dimmed">
            Display values
          </Text>
          <AddressJson value={human} label="display values" maxHeight={240} source={source} />
        </div>
      )}
      {result.debug.logs.length > 0 && (
        <Details summary={`Console (${result.debug.logs.length})`}>
          <JsonView value={result.debug.logs.map(({ message }) => message)} label="console" maxHeight={160} />
        </Details>
      )}
    </Stack>
  )
}

/** The values of the trigger's inputs for the preview. Each subscription sets its own values. */
function InputValues({ builder: { state, dispatch } }: { builder: Builder }) {
  const names = Object.keys(state.definition.inputs)
  if (names.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={550} mb={4}>
        Input values
      </Text>
      <SimpleGrid cols={2} spacing="xs">
        {names.map((name) => {
          const { type, optional, description } = readField(state.definition.inputs[name])
          return (
            <TextInput
              key={name}
              size="xs"
              label={name}
              title={description}
              placeholder={optional ? `${type}, optional` : type}
              value={shown(state.inputs[name])}
              onChange={(event) => dispatch({ type: 'input', name, value: typed(event.currentTarget.value, type) })}
            />
          )
        })}
      </SimpleGrid>
    </div>
  )
}

function shown(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Text types stay strings. For other types, valid JSON is parsed. */
function typed(text: string, type: string): unknown {
  if (text === '') return undefined
  if (['string', 'address', 'balance', 'enum'].includes(type)) return text
  const read = readJson(text)
  return read.ok ? read.value : text
}
