import { Accordion, NumberInput, Select, SimpleGrid, Stack, Switch, TagsInput, Textarea } from '@mantine/core'
import { CodeEditor } from '../../editor/code-editor.tsx'
import { FormFooter } from '../../forms/form-footer.tsx'
import { TitleAndName } from '../../forms/title-and-name.tsx'
import { useForm } from '../../forms/use-form.ts'
import { EndpointsField } from './endpoints-field.tsx'
import { kinds } from './kinds.ts'
import { checkSource, type SourceValues } from './source-values.ts'
import { Verify } from './verify.tsx'

type SourceFormProps = {
  workspace: string
  initial: SourceValues
  isNew?: boolean
  verb: string
  save: (values: SourceValues) => Promise<unknown>
}

export function SourceForm({ workspace, initial, isNew = false, verb, save }: SourceFormProps) {
  const form = useForm({ initial, check: checkSource, save })
  const { values } = form
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md">
        <TitleAndName
          title={form.text('title')}
          name={form.text('name')}
          setName={(name) => form.set('name', name)}
          isNew={isNew}
        />
        <Select
          label="Kind"
          data={kinds}
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
          label="Public: everybody on this service can use it in triggers"
          checked={values.isPublic}
          onChange={(event) => form.set('isPublic', event.currentTarget.checked)}
        />
        <Tuning form={form} />
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
const tunings = [
  ['blockProcessingConcurrency', 'Blocks at a time', '1 to 32; 4 by default'],
  ['maxQueuedBlocks', 'Queue limit (blocks)', '1 to 100,000; 10,000 by default'],
  ['batchMaxCount', 'Requests per batch', '1 to 100'],
] as const

const verifyModes = [
  { value: 'bloom' as const, label: 'By bloom filter and log numbers, with samples of receipts' },
  { value: 'receipts' as const, label: 'By the receipts of every block' },
]

/** What most sources never need. */
function Tuning({ form }: { form: SourceFormState }) {
  return (
    <Accordion variant="contained">
      <Accordion.Item value="tuning">
        <Accordion.Control>Fine tuning</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="md">
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              {tunings.map(([field, label, description]) => (
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
            {form.values.kind === 'evm' && (
              <Select
                label="Check that blocks are complete"
                description="Receipts prove every block and cost more; some chains cannot be proven."
                data={verifyModes}
                value={form.values.verify ?? 'bloom'}
                onChange={(mode) => mode !== null && form.set('verify', mode)}
                allowDeselect={false}
              />
            )}
            <TagsInput
              label="More RPC methods"
              description="Providers may call the chain's reading methods. Name others here for triggers of this workspace."
              placeholder="debug_traceTransaction"
              value={form.values.allowMethods}
              onChange={(names) => form.set('allowMethods', names)}
              error={form.errorOf('allowMethods')}
            />
            {form.values.kind === 'substrate' && (
              <CodeEditor
                label="Extensions"
                description="Types and RPC methods of the chain, as JSON."
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
