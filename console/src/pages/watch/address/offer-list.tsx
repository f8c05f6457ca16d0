import { Button, Checkbox, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Section } from '../../../components/page.tsx'
import { AddressText } from '../../../layouts/address/address-text.tsx'
import { exampleOf } from '../model/example.ts'
import { type Inspected, type Offer, titleOf } from '../model/offers.ts'
import type { Source } from '../model/source.ts'
import classes from './address.module.css'

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
export function OfferList({ offers, source, token, looked, selected, onSelect, alertMe }: OfferListProps) {
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
