import { Button, Checkbox, Group, List, Select, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { LinkText } from '../../../components/links.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Section } from '../../../components/page.tsx'
import { api } from '../../../data/api.ts'
import { refresh } from '../../../data/changes.ts'
import { useApiList } from '../../../data/lists.ts'
import { useWorkspace } from '../../../data/workspace.ts'
import { AddressText } from '../../../layouts/address/address-text.tsx'
import { payloadOf } from '../model/drafts.ts'
import { exampleOf } from '../model/example.ts'
import { findProject } from '../model/go-live.ts'
import { type Inspected, type Offer, titleOf } from '../model/offers.ts'
import type { Source } from '../model/source.ts'
import classes from './address.module.css'
import { AlertMe } from './alert-me.tsx'
import type { Contract } from './contract.ts'

type OffersProps = {
  contract: Contract
  offers: Offer[]
  looked?: Inspected['looked']
  children?: ReactNode
  after?: ReactNode
}

/** What is known, then events and calls. *Alert me* replaces both by its questions; selected ones can become drafts. */
export function Offers({ contract, offers, looked, children, after }: OffersProps) {
  const [chosen, setChosen] = useState<Offer>()
  const [selected, setSelected] = useState<string[]>([])
  if (chosen) return <AlertMe offer={chosen} contract={contract} back={() => setChosen(undefined)} />
  return (
    <Stack gap="lg">
      {children}
      {offers.length > 0 && (
        <OfferList
          offers={offers}
          source={contract.source}
          token={contract.token}
          looked={looked}
          selected={selected}
          onSelect={setSelected}
          alertMe={setChosen}
        />
      )}
      {selected.length > 0 && (
        <ImportPanel contract={contract} offers={offers.filter(({ key }) => selected.includes(key))} />
      )}
      {after}
    </Stack>
  )
}

type ImportPanelProps = { contract: Contract; offers: Offer[] }

/** Makes one draft of each selected event and call: choose the project, review, create. */
function ImportPanel({ contract: { makeDrafts }, offers }: ImportPanelProps) {
  const { fullname: workspace } = useWorkspace()
  const projects = useApiList('listProjects', { query: { workspace } })
  const [chosen, setChosen] = useState<string>()
  const project = chosen ?? projects.items[0]?.fullname
  const create = useMutation({
    mutationFn: async () => {
      const drafts = await makeDrafts(project ?? (await findProject(api, workspace)), offers)
      for (const draft of drafts) {
        const payload = payloadOf(draft)
        await api.saveTriggerDraft({ fullname: draft.fullname, body: payload, ifNoneMatch: '*' })
      }
      return drafts.map(({ fullname, meta }) => ({ fullname, title: meta.title }))
    },
    onSettled: () => refresh(['triggers', 'projects']),
  })
  if (create.data) return <Created workspace={workspace} drafts={create.data} />
  return (
    <section className={classes.selected} aria-label="Selected">
      <div>
        <Text fw={600}>{offers.length === 1 ? '1 selected' : `${offers.length} selected`}</Text>
        <Text size="sm" c="dimmed">
          {offers.map(({ name, type }) => `${titleOf(name)} (${type})`).join(', ')}
        </Text>
      </div>
      <Group gap="sm" align="flex-end">
        {project !== undefined && (
          <Select
            label="Project"
            data={projects.items.map(({ fullname, meta }) => ({ value: fullname, label: meta.title }))}
            value={project}
            onChange={(next) => next && setChosen(next)}
            allowDeselect={false}
          />
        )}
        <Button loading={create.isPending} onClick={() => create.mutate()}>
          {offers.length === 1 ? 'Create 1 draft' : `Create ${offers.length} drafts`}
        </Button>
      </Group>
      <ErrorNotice error={create.error} title="Not all drafts were created" />
    </section>
  )
}

function Created({ workspace, drafts }: { workspace: string; drafts: { fullname: string; title: string }[] }) {
  return (
    <Notice tone="good" title={drafts.length === 1 ? 'Draft created' : `${drafts.length} drafts created`}>
      <List size="sm" mt={4}>
        {drafts.map(({ fullname, title }) => (
          <List.Item key={fullname}>
            <LinkText to="/w/$workspace/triggers/$trigger/edit" params={{ workspace, trigger: fullname }}>
              {title}
            </LinkText>
          </List.Item>
        ))}
      </List>
    </Notice>
  )
}

type OfferListProps = {
  offers: Offer[]
  source: Source
  token: Inspected['token']
  looked: Inspected['looked']
  selected: string[]
  onSelect: (keys: string[]) => void
  alertMe: (offer: Offer) => void
}
const searchFrom = 8

/** Events and calls, the frequent ones first. */
function OfferList({ offers, source, token, looked, selected, onSelect, alertMe }: OfferListProps) {
  const [search, setSearch] = useState('')
  const shown = offers.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()))
  const toggle = (key: string) =>
    onSelect(selected.includes(key) ? selected.filter((one) => one !== key) : [...selected, key])
  return (
    <Section
      title="What it does"
      about={aboutOf(looked)}
      actions={
        offers.length >= searchFrom && (
          <TextInput
            aria-label="Search events and calls"
            placeholder="Search"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )
      }
    >
      {shown.length === 0 && <Text>No event or call has this name.</Text>}
      <ul className={classes.offers}>
        {shown.map((offer) => (
          <OfferRow
            key={offer.key}
            offer={offer}
            source={source}
            token={token}
            isSelected={selected.includes(offer.key)}
            toggle={() => toggle(offer.key)}
            alertMe={() => alertMe(offer)}
          />
        ))}
      </ul>
    </Section>
  )
}

function aboutOf(looked: Inspected['looked']): string | undefined {
  if (!looked) return undefined
  const { fromBlock, toBlock, reason } = looked
  const blocks = (toBlock - fromBlock + 1).toLocaleString('en')
  return [`The numbers count the last ${blocks} blocks.`, reason].filter(Boolean).join(' ')
}

type OfferRowProps = {
  offer: Offer
  source: Source
  token: Inspected['token']
  isSelected: boolean
  toggle: () => void
  alertMe: () => void
}

function OfferRow({ offer, source, token, isSelected, toggle, alertMe }: OfferRowProps) {
  const { name, type, inputs, documentation, count, latest } = offer
  const title = titleOf(name)
  const fields = inputs.map((input) => input.name).filter((text) => text !== '')
  return (
    <li className={classes.offer}>
      <Checkbox checked={isSelected} onChange={toggle} aria-label={`Select ${name} (${type})`} />
      <div>
        <div className={classes.offerName}>
          {title}{' '}
          <Text span size="sm" c="dimmed" fw={400}>
            {type}
          </Text>
        </div>
        <Text size="sm" c="dimmed">
          {documentation ?? (fields.length === 0 ? 'No inputs' : fields.join(', '))}
        </Text>
        {latest && (
          <Text size="sm">
            Latest: <AddressText text={exampleOf(offer, latest.params, token, source.kind)} source={source} />
          </Text>
        )}
      </div>
      <div className={classes.count}>{count?.toLocaleString('en')}</div>
      <Button variant="default" onClick={alertMe} aria-label={`Alert me about ${name} (${type})`}>
        Alert me
      </Button>
    </li>
  )
}
