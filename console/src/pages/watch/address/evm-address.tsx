import { Group, Skeleton, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { Notice } from '../../../components/notice.tsx'
import { Facts } from '../../../components/page.tsx'
import { api } from '../../../data/api.ts'
import { useInspect } from '../../../data/use-inspect.ts'
import { Address, NamedAddress } from '../../../layouts/address/address.tsx'
import { shortAddress } from '../../../layouts/address/address-form.ts'
import { useAddressName } from '../../../layouts/address/use-address-name.ts'
import { NetworkGlyph } from '../../../layouts/watch/network-glyph.tsx'
import { goalsOfKind } from '../model/goals/evm.ts'
import { evmDrafts } from '../model/import-drafts.ts'
import { type Inspected, kindText, type Offer, offersOf, offersOfPasted, sourceText } from '../model/offers.ts'
import type { Source } from '../model/source.ts'
import { showCoins } from '../model/units.ts'
import classes from './address.module.css'
import type { ChainView, ShownProps } from './chain-view.ts'
import { GoalLinks } from './goals-for.tsx'
import { Offers } from './offers.tsx'
import { PasteInterface } from './paste-interface.tsx'

export const evmView: ChainView = {
  kind: 'evm',
  example: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48 or vitalik.eth',
  Shown: EvmAddress,
}

/** What is at an address of an EVM network, and what can be watched there. */
function EvmAddress({ source, address }: ShownProps) {
  const { data, error, isPending, refetch } = useInspect(source.fullname, address)
  const [pasted, setPasted] = useState<Offer[]>()
  if (isPending) return <Looking source={source} />
  if (error) return <ErrorNotice error={error} title="This address cannot be shown" retry={() => void refetch()} />
  const offers = pasted ?? offersOf(data)
  const contract = {
    source,
    name: data.token?.symbol ?? data.name ?? shortAddress(data.address),
    token: data.token,
    makeDrafts: evmDrafts(api, source.fullname, data.address),
  }
  const paste = data.kind !== 'account' && (
    <PasteAbi hasOffers={offers.length > 0} read={setPasted} source={source.fullname} address={data.address} />
  )
  return (
    <Offers contract={contract} offers={offers} looked={data.looked} after={paste}>
      <WhatItIs inspected={data} source={source} />
      {data.error && <Notice tone="warn" title={data.error} />}
    </Offers>
  )
}

function Looking({ source }: { source: Source }) {
  return (
    <div role="status">
      <Text c="dimmed" mb="sm">
        Reading {source.title}: code, recent events and calls, and the verified interface.
      </Text>
      <Skeleton height={140} mb="md" />
      <Skeleton height={260} />
    </div>
  )
}

type PasteAbiProps = { hasOffers: boolean; read: (offers: Offer[]) => void; source: string; address: string }

/** For a contract whose ABI nobody published: the user pastes it. */
function PasteAbi({ hasOffers, read, source, address }: PasteAbiProps) {
  return (
    <PasteInterface
      isKnown={hasOffers}
      label="Interface of the contract"
      description="The ABI as its developers give it: JSON, or one line for each event and function."
      field="abi"
      read={async (abi, project) => {
        const { drafts } = await api.importEvmDrafts({ body: { project, source, contract: address, abi } })
        read(offersOfPasted(drafts))
      }}
    />
  )
}

/** Name, kind and facts of an address. */
function WhatItIs({ inspected, source }: { inspected: Inspected; source: Source }) {
  const { address, token, name, ensName, kind } = inspected
  const title = useAddressName(source.fullname, address) ?? token?.symbol ?? name ?? ensName ?? shortAddress(address)
  return (
    <section className={classes.hero} aria-label="What it is">
      <h2 className={classes.name}>{title}</h2>
      <Group gap={8} mb="lg">
        <NetworkGlyph source={source} size={26} />
        <Text c="dimmed">
          {kindText(inspected)} on {source.title}
        </Text>
        <Address address={address} source={source} />
      </Group>
      <Facts facts={factsOf(inspected, source)} />
      <div className={classes.goals}>
        {kind === 'account' && <Text mb="sm">An account emits no events. Watch what it sends and receives.</Text>}
        <GoalLinks source={source} address={address} goals={goalsOfKind(kind)} />
      </div>
    </section>
  )
}

function implementationsOf({ proxy }: Inspected): string[] {
  return proxy?.implementations ?? (proxy?.implementation ? [proxy.implementation] : [])
}

function factsOf(inspected: Inspected, source: Source): [string, ReactNode][] {
  const { name, ensName, token, proxy, abiSource, balance } = inspected
  const implementations = implementationsOf(inspected).map((address) => (
    <NamedAddress key={address} address={address} source={source} />
  ))
  const facts: [string, ReactNode][] = [
    ['Token', token && [token.name, token.standard.toUpperCase().replace('ERC', 'ERC-')].filter(Boolean).join(' · ')],
    ['Decimals', token && String(token.decimals)],
    ['Contract', name],
    ['ENS name', ensName],
    ['Proxy', proxy && proxyTexts[proxy.kind]],
    ['Implementation', implementations.length > 0 && implementations],
    ['Interface', abiSource && sourceText(abiSource)],
    ['Balance', balance !== undefined && showCoins(balance, source)],
  ]
  return facts.filter(([, value]) => value)
}

const proxyTexts: Record<NonNullable<Inspected['proxy']>['kind'], string> = {
  eip1967: 'Upgradeable (EIP-1967)',
  'eip1967-beacon': 'Upgradeable by a beacon (EIP-1967)',
  eip1822: 'Upgradeable (EIP-1822)',
  eip1167: 'Minimal copy (EIP-1167)',
  safe: 'Safe wallet',
  diamond: 'Diamond (EIP-2535)',
}
