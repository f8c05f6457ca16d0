import {
  Accordion,
  ActionIcon,
  Button,
  Group,
  Input,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash } from '../../components/icons.tsx'
import { chainOf, chainOptions } from '../../data/chains.ts'
import { CodeEditor } from '../../editor/code-editor.tsx'
import { FormFooter } from '../../forms/form-footer.tsx'
import { KeptFormNotice } from '../../forms/kept-form-notice.tsx'
import { TitleAndName } from '../../forms/title-and-name.tsx'
import { useForm } from '../../forms/use-form.ts'
import type { Kind } from './kinds.ts'
import { checkSource, type SourceValues } from './source-values.ts'
import { Verify } from './verify.tsx'

type SourceFormProps = {
  workspace: string
  initial: SourceValues
  /** The ETag of `initial`. */
  version?: string | undefined
  isNew?: boolean
  verb: string
  save: (values: SourceValues, version: string | undefined) => Promise<unknown>
}

export function SourceForm({ workspace, initial, version, isNew = false, verb, save }: SourceFormProps) {
  const form = useForm({
    initial,
    version,
    check: checkSource,
    save,
    keep: { name: `source ${workspace} ${initial.name}`, leaveOut: ['endpoints'] },
  })
  const { values } = form
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <KeptFormNotice form={form} />
        <TitleAndName
          title={form.text('title')}
          name={form.text('name')}
          setName={(name) => form.set('name', name)}
          isNew={isNew}
        />
        <Select
          label="Kind"
          data={chainOptions()}
          value={values.kind}
          onChange={(kind) => kind !== null && form.set('kind', kind)}
          disabled={!isNew}
          allowDeselect={false}
        />
        <EndpointsField
          endpoints={values.endpoints}
          kind={values.kind}
          onChange={(endpoints) => form.set('endpoints', endpoints)}
          error={form.errorOf('endpoints')}
          errorOf={form.errorOf}
        />
        <Verify workspace={workspace} values={values} />
        <Textarea label="Description" autosize minRows={2} {...form.text('description')} />
        <Switch
          label="Public: everyone on this service can use this source in triggers"
          checked={values.isPublic}
          onChange={(event) => form.set('isPublic', event.currentTarget.checked)}
        />
        <AdvancedSettings form={form} />
        <FormFooter
          failure={form.failure}
          isSaving={form.isSaving}
          verb={verb}
          shownElsewhere={(path) => /title|endpoints|name/.test(path)}
        />
      </Stack>
    </form>
  )
}

type SourceFormState = ReturnType<typeof useForm<SourceValues>>
const limits = [
  ['blockProcessingConcurrency', 'Blocks processed in parallel', '1 to 32; default 4'],
  ['maxQueuedBlocks', 'Queue limit (blocks)', '1 to 100,000; default 10,000'],
  ['batchMaxCount', 'Requests per batch', '1 to 100'],
] as const

const verifyModes = [
  { value: 'bloom' as const, label: 'Bloom filter and log indexes, with sampled receipts' },
  { value: 'receipts' as const, label: 'Receipts of every block' },
]

/** Settings that most sources do not need. */
function AdvancedSettings({ form }: { form: SourceFormState }) {
  const settings = chainOf(form.values.kind)?.sourceSettings ?? []
  return (
    <Accordion variant="contained">
      <Accordion.Item value="advanced">
        <Accordion.Control>Advanced settings</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="md">
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              {limits.map(([field, label, description]) => (
                <NumberInput
                  key={field}
                  label={label}
                  description={description}
                  allowDecimal={false}
                  min={1}
                  value={form.values[field] ?? ''}
                  onChange={(value) => form.set(field, typeof value === 'number' ? value : undefined)}
                  error={form.errorOf(field)}
                />
              ))}
            </SimpleGrid>
            <NetworkFields form={form} />
            {settings.includes('verify') && (
              <Select
                label="Completeness check of blocks"
                description="Receipts prove that no log is missing, but need more requests. Some chains cannot be proven."
                data={verifyModes}
                value={form.values.verify ?? 'bloom'}
                onChange={(mode) => mode !== null && form.set('verify', mode)}
                allowDeselect={false}
              />
            )}
            <TagsInput
              label="Allowed RPC methods"
              description="Providers can call the read methods of the chain. Add other methods that triggers of this workspace may call."
              placeholder="debug_traceTransaction"
              value={form.values.allowMethods}
              onChange={(names) => form.set('allowMethods', names)}
              error={form.errorOf('allowMethods')}
            />
            {settings.includes('extensions') && (
              <CodeEditor
                label="Extensions"
                description="Custom types and RPC methods of the chain, as JSON."
                language="json"
                value={form.values.extensions}
                onChange={(text) => form.set('extensions', text)}
                error={form.errorOf('extensions')}
              />
            )}
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

/** The service knows common networks. A private one has its own explorer and currency. */
function NetworkFields({ form }: { form: SourceFormState }) {
  const { explorer, currencyDecimals } = form.values
  return (
    <SimpleGrid cols={{ base: 1, sm: 4 }}>
      <TextInput
        label="Explorer URL"
        description="For links in messages"
        placeholder="https://etherscan.io"
        value={explorer?.url ?? ''}
        onChange={({ currentTarget: { value } }) =>
          form.set('explorer', value.trim() === '' ? undefined : { ...explorer, url: value.trim() })
        }
        error={form.errorOf('explorer') ?? form.errorOf('url')}
      />
      <TextInput label="Currency name" description="The native currency" {...form.text('currencyName')} />
      <TextInput label="Currency symbol" description="As in ETH" {...form.text('currencySymbol')} />
      <NumberInput
        label="Currency decimals"
        description="18 on most EVM chains"
        allowDecimal={false}
        min={0}
        max={36}
        value={currencyDecimals ?? ''}
        onChange={(value) => form.set('currencyDecimals', typeof value === 'number' ? value : undefined)}
        error={form.errorOf('decimals')}
      />
    </SimpleGrid>
  )
}

const endpointsMax = 10
type EndpointsFieldProps = {
  endpoints: string[]
  kind: Kind
  onChange: (endpoints: string[]) => void
  error: string | undefined
  errorOf: (path: string) => string | undefined
}

function EndpointsField({ endpoints, kind, onChange, error, errorOf }: EndpointsFieldProps) {
  const example = chainOf(kind)?.endpointExample
  return (
    <Input.Wrapper
      label="Endpoints"
      labelElement="div"
      description="Endpoints of one network, in order of use. If one fails, the next one is used. Keys in the URLs are kept secret."
      error={error}
    >
      <Stack gap="xs" my={6}>
        {endpoints.map((endpoint, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: endpoints have no id, and their order is their priority
          <Group key={at} gap="xs" align="flex-start" wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={`Endpoint ${at + 1}`}
              placeholder={example}
              value={endpoint}
              spellCheck={false}
              error={errorOf(`endpoints.${at}`)}
              onChange={(event) => onChange(endpoints.with(at, event.currentTarget.value))}
            />
            {endpoints.length > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={`Remove endpoint ${at + 1}`}
                onClick={() => onChange(endpoints.toSpliced(at, 1))}
              >
                <IconTrash />
              </ActionIcon>
            )}
          </Group>
        ))}
        {endpoints.length < endpointsMax && (
          <Group>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} />}
              onClick={() => onChange([...endpoints, ''])}
            >
              Add endpoint
            </Button>
          </Group>
        )}
      </Stack>
    </Input.Wrapper>
  )
}
