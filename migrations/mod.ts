import accounts from "./0001_accounts.ts"
import swaps from "./0002_swaps.ts"
import providerSwitches from "./0003_provider_switches.ts"
import operator from "./0004_operator.ts"
import idempotencyKeys from "./0006_idempotency_keys.ts"
import vaultSwaps from "./0007_vault_swaps.ts"
import openChannels from "./0008_open_channels.ts"
import journal from "./0010_journal.ts"
import commissions from "./0011_commissions.ts"
import webhooks from "./0012_webhooks.ts"
import outboxOfSwap from "./0013_outbox_of_swap.ts"
import notFoundLookups from "./0014_not_found_lookups.ts"
import payloadOwners from "./0015_payload_owners.ts"
import ownChannels from "./0016_own_channels.ts"
import lateMoney from "./0017_late_money.ts"
import keySecret from "./0018_key_secret.ts"
import retention from "./0019_retention.ts"
import uniqueAddresses from "./0027_unique_addresses.ts"
import notFoundOfAccount from "./0028_not_found_of_account.ts"
import rowsOfSwap from "./0029_rows_of_swap.ts"
import usedPayloads from "./0030_used_payloads.ts"
import business from "./0031_business.ts"
import treasury from "./0032_treasury.ts"
import dashboardSessions from "./0033_dashboard_sessions.ts"
import providerHistoryAndAlerts from "./0034_provider_history_and_alerts.ts"
import requestErrors from "./0035_request_errors.ts"
import trackRecords from "./0036_track_records.ts"
import payLinks from "./0037_pay_links.ts"
import reportCards from "./0038_report_cards.ts"
import mcpOfAccount from "./0039_mcp_of_account.ts"
import auditMarks from "./0040_audit_marks.ts"
import commissionFigures from "./0041_commission_figures.ts"
import wire from "./0042_wire.ts"
import lostOpenings from "./0043_lost_openings.ts"
import usedQuotes from "./0044_used_quotes.ts"
import fairRecords from "./0045_fair_records.ts"
import laterSwaps from "./0046_later_swaps.ts"
import payloadSearches from "./0048_payload_searches.ts"
import spending from "./0051_spending.ts"
import daysOfOurs from "./0052_days_of_ours.ts"
import acceptedEnds from "./0053_accepted_ends.ts"
import swapPayments from "./0054_swap_payments.ts"
import leanerTriggers from "./0055_leaner_triggers.ts"
import values from "./0056_values.ts"
import swapViews from "./0057_swap_views.ts"
import recordKeys from "./0059_record_keys.ts"
import merchants from "./0060_merchants.ts"
import upstreamBudgets from "./0061_upstream_budgets.ts"
import results from "./0064_results.ts"
import askerOfOpening from "./0065_asker_of_opening.ts"
import swapNotices from "./0066_swap_notices.ts"
import endpointEndings from "./0067_endpoint_endings.ts"
import ownTerms from "./0068_own_terms.ts"
import preparedSwaps from "./0069_prepared_swaps.ts"
import filteredHistory from "./0070_filtered_history.ts"
import webhookLanguage from "./0071_webhook_language.ts"
import dailyVolumes from "./0072_daily_volumes.ts"

/**
 * Every change to the tables, in order. One that has landed is never edited, and the next one is added below the
 * last: a database knows only the highest number that it has had, so one inserted below it would never be made there.
 * The numbers that are missing belong to changes that never landed, and stay missing.
 */
export const migrations = {
  "0001_accounts": accounts,
  "0002_swaps": swaps,
  "0003_provider_switches": providerSwitches,
  "0004_operator": operator,
  "0006_idempotency_keys": idempotencyKeys,
  "0007_vault_swaps": vaultSwaps,
  "0008_open_channels": openChannels,
  "0010_journal": journal,
  "0011_commissions": commissions,
  "0012_webhooks": webhooks,
  "0013_outbox_of_swap": outboxOfSwap,
  "0014_not_found_lookups": notFoundLookups,
  "0015_payload_owners": payloadOwners,
  "0016_own_channels": ownChannels,
  "0017_late_money": lateMoney,
  "0018_key_secret": keySecret,
  "0019_retention": retention,
  "0027_unique_addresses": uniqueAddresses,
  "0028_not_found_of_account": notFoundOfAccount,
  "0029_rows_of_swap": rowsOfSwap,
  "0030_used_payloads": usedPayloads,
  "0031_business": business,
  "0032_treasury": treasury,
  "0033_dashboard_sessions": dashboardSessions,
  "0034_provider_history_and_alerts": providerHistoryAndAlerts,
  "0035_request_errors": requestErrors,
  "0036_track_records": trackRecords,
  "0037_pay_links": payLinks,
  "0038_report_cards": reportCards,
  "0039_mcp_of_account": mcpOfAccount,
  "0040_audit_marks": auditMarks,
  "0041_commission_figures": commissionFigures,
  "0042_wire": wire,
  "0043_lost_openings": lostOpenings,
  "0044_used_quotes": usedQuotes,
  "0045_fair_records": fairRecords,
  "0046_later_swaps": laterSwaps,
  "0048_payload_searches": payloadSearches,
  "0051_spending": spending,
  "0052_days_of_ours": daysOfOurs,
  "0053_accepted_ends": acceptedEnds,
  "0054_swap_payments": swapPayments,
  "0055_leaner_triggers": leanerTriggers,
  "0056_values": values,
  "0057_swap_views": swapViews,
  "0059_record_keys": recordKeys,
  "0060_merchants": merchants,
  "0061_upstream_budgets": upstreamBudgets,
  "0064_results": results,
  "0065_asker_of_opening": askerOfOpening,
  "0066_swap_notices": swapNotices,
  "0067_endpoint_endings": endpointEndings,
  "0068_own_terms": ownTerms,
  "0069_prepared_swaps": preparedSwaps,
  "0070_filtered_history": filteredHistory,
  "0071_webhook_language": webhookLanguage,
  "0072_daily_volumes": dailyVolumes,
}

/**
 * The changes that a version without them does not notice: everything that it reads is still there and means the same,
 * and what it writes is whole for a version that has them. So it can go on beside that version while replicas are
 * replaced one by one, and be started again after it. A column that it does not write needs a default; something that
 * is kept in step with what it writes needs a trigger. A database that has had any other change refuses versions
 * without that change.
 */
export const unnoticed: ReadonlyArray<keyof typeof migrations> = [
  "0032_treasury",
  "0033_dashboard_sessions",
  "0034_provider_history_and_alerts",
  "0035_request_errors",
  "0036_track_records",
  "0037_pay_links",
  "0038_report_cards",
  "0039_mcp_of_account",
  "0040_audit_marks",
  "0042_wire",
  "0043_lost_openings",
  "0044_used_quotes",
  "0045_fair_records",
  "0048_payload_searches",
  "0051_spending",
  "0052_days_of_ours",
  "0053_accepted_ends",
  "0054_swap_payments",
  "0055_leaner_triggers",
  "0056_values",
  "0057_swap_views",
  "0059_record_keys",
  "0060_merchants",
  "0061_upstream_budgets",
  "0064_results",
  "0065_asker_of_opening",
  "0066_swap_notices",
  "0067_endpoint_endings",
  "0068_own_terms",
  "0069_prepared_swaps",
  "0070_filtered_history",
  "0071_webhook_language",
  "0072_daily_volumes",
]
