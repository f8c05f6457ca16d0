import { Button, Select, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { IconArrowLeft } from '../../../components/icons.tsx'
import { api } from '../../../data/api.ts'
import { useWorkspace } from '../../../data/workspace.ts'
import { watchOfDraft } from '../model/drafts.ts'
import type { Filter } from '../model/filter.ts'
import { checkFilters, conditionsOf, type FilterValues, filtersOf, filtersText } from '../model/filters.ts'
import { findProject } from '../model/go-live.ts'
import { groupThousands } from '../model/group-thousands.ts'
import { type Offer, titleOf } from '../model/offers.ts'
import type { Source } from '../model/source.ts'
import { Amount } from '../questions/amount.tsx'
import { Question } from '../questions/question.tsx'
import { SubjectField } from '../questions/subject-field.tsx'
import { WhereTo } from '../questions/where-to.tsx'
import { LiveResult } from '../result/live-result.tsx'
import { Summary } from '../result/summary.tsx'
import { useGoLive } from '../result/use-go-live.ts'
import classes from '../watch.module.css'
import type { Contract } from './contract.ts'

type AlertMeProps = { offer: Offer; contract: Contract; back: () => void }

/** Two questions about one event or call: which of them, and where to. */
export function AlertMe({ offer, contract, back }: AlertMeProps) {
  const { fullname: workspace } = useWorkspace()
  const { source, token, name, makeDrafts } = contract
  const [values, setValues] = useState<FilterValues>({})
  const [issues, setIssues] = useState<FilterValues>({})
  const [resources, setResources] = useState<string[]>([])
  const live = useGoLive()
  const filters = filtersOf(offer, token)
  const what = offer.type === 'event' ? `${name} emits ${offer.name}` : `somebody calls ${offer.name} of ${name}`
  const sentence = `When ${what}${filtersText(filters, values, showValue)} on ${source.title}`
  if (live.data) return <LiveResult live={live.data} sentence={`${sentence}.`} source={source} />
  const start = () => {
    const found = checkFilters(filters, values, source)
    setIssues(found)
    if (Object.keys(found).length > 0) return
    const makeWatches = async () => {
      const project = await findProject(api, workspace)
      const drafts = await makeDrafts(project, [offer])
      return drafts.map((draft) => watchOfDraft(draft, conditionsOf(filters, values)))
    }
    live.mutate({ watches: makeWatches, resources })
  }
  return (
    <div>
      <Button variant="subtle" leftSection={<IconArrowLeft size={16} />} onClick={back} mb="sm">
        All events and calls
      </Button>
      <div className={classes.columns}>
        <div className={classes.questions}>
          <Question number={1} title={`Which ${titleOf(offer.name).toLowerCase()}`}>
            <FilterFields
              filters={filters}
              source={source}
              values={values}
              onChange={(param, value) => setValues((before) => ({ ...before, [param]: value }))}
              issues={issues}
            />
          </Question>
          <Question number={2} title="Destination">
            <WhereTo value={resources} onChange={setResources} />
          </Question>
        </div>
        <Summary
          sentence={sentence}
          source={source}
          resources={resources}
          isStarting={live.isPending}
          error={live.error}
          made={live.made}
          start={start}
        />
      </div>
    </div>
  )
}

function showValue(value: string): string {
  return /^\d+(\.\d+)?$/.test(value) ? groupThousands(value) : value
}

type FilterFieldsProps = {
  filters: Filter[]
  source: Source
  values: FilterValues
  onChange: (param: string, value: string) => void
  issues: FilterValues
}

/** One optional input for each filter. */
function FilterFields({ filters, source, values, onChange, issues }: FilterFieldsProps) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {filters.length === 0 ? 'There is nothing to filter: you hear about each one.' : 'Leave a field empty for any.'}
      </Text>
      {filters.map((filter) => (
        <FilterField
          key={filter.param}
          filter={filter}
          source={source}
          value={values[filter.param] ?? ''}
          onChange={(value) => onChange(filter.param, value)}
          error={issues[filter.param]}
        />
      ))}
    </>
  )
}

type FilterFieldProps = {
  filter: Filter
  source: Source
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

function FilterField({ filter: { label, kind, unit }, source, value, onChange, error }: FilterFieldProps) {
  const common = { value, onChange, error }
  switch (kind) {
    case 'address':
      return <SubjectField subject={{ label, example: '', isOptional: true }} source={source} {...common} />
    case 'amount':
      return <Amount label={`${label} at least`} description={`In ${unit}`} {...common} />
    case 'number':
      return <Amount label={`${label} at least`} {...common} />
    case 'boolean':
      return (
        <Select
          size="md"
          maw={280}
          label={label}
          data={[
            { value: '', label: 'Any' },
            { value: 'true', label: 'Yes' },
            { value: 'false', label: 'No' },
          ]}
          value={value}
          onChange={(next) => onChange(next ?? '')}
          allowDeselect={false}
        />
      )
    case 'text':
      return <TextInput size="md" label={label} {...common} onChange={(event) => onChange(event.currentTarget.value)} />
  }
}
