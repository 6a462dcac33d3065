// Documents that prove who somebody is. Only the number of an ID card can be checked by its form; every other one is compared
// with its picture by an auditor.
import * as z from 'zod';

/** Those that have a country, a number and a picture. */
export const OTHER_DOCUMENTS = ['passport', 'nationalId', 'residencePermit', 'drivingLicence'] as const;
/** `idCard` is the Chinese one. */
export const DOCUMENTS = ['idCard', ...OTHER_DOCUMENTS] as const;
export type IdentityDocument = (typeof DOCUMENTS)[number];

/** ISO 3166-1 alpha-2. */
export const COUNTRIES: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF ' +
  'CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH ' +
  'GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW ' +
  'KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG ' +
  'NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN ' +
  'SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ' +
  'ZA ZM ZW'
).split(' ');

export const countryCode = z
  .string()
  .refine((text) => COUNTRIES.includes(text), 'country_rule')
  .meta({ description: 'ISO 3166-1 alpha-2: US' });

/** One number however it is written: what separates its groups is left out, and letters are capitals. */
export const documentNumber = z
  .string()
  .max(40, 'document_number_rule')
  .overwrite((text) => text.replaceAll(/[ ./-]/g, '').toUpperCase())
  .regex(/^[0-9A-Z]{4,24}$/, 'document_number_rule')
  .meta({ description: '4 to 24 letters and digits; spaces, dots, slashes and hyphens are left out.' });
