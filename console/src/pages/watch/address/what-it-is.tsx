import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Facts } from '../../../components/page.tsx'
import { Address, NamedAddress } from '../../../layouts/address/address.tsx'
import { shortAddress } from '../../../layouts/address/address-form.ts'
import { useAddressName } from '../../../layouts/address/use-address-name.ts'
import { NetworkGlyph } from '../../../layouts/watch/network-glyph.tsx'
import { type Inspected, kindText, sourceText } from '../model/offers.ts'
import type { Source } from '../model/source.ts'
import { showCoins } from '../model/units.ts'
import classes from './address.module.css'
import { GoalLinks } from './goals-for.tsx'

/** Name, kind and facts of an address. */
export function WhatItIs({ inspected, source }: { inspected: Inspected; source: Source }) {
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
      {kind === 'account' && (
        <div className={classes.goals}>
          <Text mb="sm">An account emits no events. Watch what it sends and receives.</Text>
          <GoalLinks source={source} address={address} goals={['wallet', 'balance']} />
        </div>
      )}
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
