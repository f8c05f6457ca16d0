import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useMemo, useRef, useState } from 'react'
import { IconSearch } from '../../components/icons.tsx'
import { statusOptions } from '../../components/status.tsx'
import type { Item } from '../../data/api.ts'
import { useApiList } from '../../data/lists.ts'
import { type Alert, statuses } from '../../layouts/alert/alert-status.ts'
import classes from './feed.module.css'
import { type AlertFilters, rangeOptions, severities, states } from './filters.ts'

type FeedFiltersProps = {
  workspace: string
  filters: AlertFilters
  alerts: Alert[]
  setFilters: (filters: AlertFilters) => void
}
type Subscription = Item<'listSubscriptions'>

/** Projects, triggers and subscriptions come from the subscriptions and from the alerts that the feed shows. */
export function FeedFilters({ workspace, filters, alerts, setFilters }: FeedFiltersProps) {
  const { items: subscriptions } = useApiList('listSubscriptions', { query: { workspace } })
  const choices = useMemo(() => choicesOf(alerts, subscriptions, filters), [alerts, subscriptions, filters])
  const set = (name: keyof AlertFilters, value: string | null) => {
    const { [name]: _before, ...rest } = filters
    setFilters(value === null ? rest : { ...rest, [name]: value })
  }
  const field = (name: keyof AlertFilters, label: string, data: { value: string; label: string }[]) => (
    <Select
      aria-label={label}
      placeholder={label}
      data={data}
      value={filters[name] ?? null}
      onChange={(value) => set(name, value)}
      searchable={name === 'project' || name === 'trigger' || name === 'subscription'}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
    />
  )
  return (
    <div className={classes.filters}>
      <SearchField value={filters.q} search={(q) => set('q', q)} />
      {field('range', 'Time', rangeOptions)}
      {field('status', 'Status', statuses)}
      {field('state', 'State', statusOptions(states))}
      {field('severity', 'Severity', statusOptions(severities))}
      {field('project', 'Project', choices.projects)}
      {field('trigger', 'Trigger', choices.triggers)}
      {field('subscription', 'Subscription', choices.subscriptions)}
      {Object.keys(filters).length > 0 && (
        <Button variant="subtle" onClick={() => setFilters({})}>
          Clear filters
        </Button>
      )}
    </div>
  )
}

function choicesOf(alerts: Alert[], subscriptions: Subscription[], filters: AlertFilters) {
  // An alert about a destination has no trigger.
  const all = [...subscriptions, ...alerts.filter(({ resource }) => resource === undefined)]
  const projects = all.map(({ project }) => project)
  const triggers = all.flatMap(({ trigger }) => trigger ?? [])
  const known = subscriptions.map(({ id, meta, project, trigger }) => ({
    value: id,
    label: meta.title ?? trigger ?? project,
  }))
  return {
    projects: named([...projects, filters.project]),
    triggers: named([...triggers, filters.trigger]),
    subscriptions:
      filters.subscription === undefined || known.some(({ value }) => value === filters.subscription)
        ? known
        : [...known, { value: filters.subscription, label: filters.subscription }],
  }
}

function named(names: (string | undefined)[]): { value: string; label: string }[] {
  const known = new Set(names.filter((name) => name !== undefined))
  return [...known].sort().map((name) => ({ value: name, label: name }))
}

const waitMs = 300

type SearchFieldProps = { value: string | undefined; search: (words: string | null) => void }

/** Searches when the user stops typing. */
function SearchField({ value = '', search }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const searched = useRef(value)
  useEffect(() => {
    // A value that this field did not search for comes from a view or from “Clear filters”. Others are older than the text.
    if (value !== searched.current) setText(value)
    searched.current = value
  }, [value])
  const start = useDebouncedCallback((text: string) => {
    const words = text.trim()
    searched.current = words
    search(words === '' ? null : words)
  }, waitMs)
  return (
    <TextInput
      aria-label="Search alerts"
      placeholder="Search alerts"
      leftSection={<IconSearch size={16} />}
      value={text}
      maxLength={200}
      onChange={(event) => {
        setText(event.currentTarget.value)
        start(event.currentTarget.value)
      }}
    />
  )
}
