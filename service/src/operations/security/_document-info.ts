// The shape of get-info-on-pdf's answer: keys exactly as existing clients know them.
import { z } from 'zod';

const optionalText = z.string().optional();
const count = z.int();

const size = z.object({
  'Width (px)': z.string().describe('In points'),
  'Height (px)': z.string(),
  'Width (in)': z.string(),
  'Height (in)': z.string(),
  'Width (cm)': z.string(),
  'Height (cm)': z.string(),
  'Standard Page': z.string().describe('Such as A4 or Letter; Custom where it is none'),
});

const font = z.object({
  IsEmbedded: z.boolean(),
  Name: optionalText,
  Subtype: optionalText,
  ItalicAngle: z.number().optional(),
  IsItalic: z.boolean().optional(),
  IsBold: z.boolean().optional(),
  IsFixedPitch: z.boolean().optional(),
  IsSerif: z.boolean().optional(),
  IsSymbolic: z.boolean().optional(),
  IsScript: z.boolean().optional(),
  IsNonsymbolic: z.boolean().optional(),
  FontFamily: optionalText,
  FontWeight: z.number().optional(),
  Count: count.describe('How many fonts of the page are described so'),
});

const image = z.object({
  Width: z.number().optional(),
  Height: z.number().optional(),
  Name: z.string(),
  ColorSpace: optionalText,
  BitsPerComponent: z.number().optional(),
});

const page = z.object({
  Size: size,
  Rotation: count,
  'Page Orientation': z.enum(['Portrait', 'Landscape', 'Square']),
  MediaBox: z.string(),
  CropBox: z.string(),
  BleedBox: z.string(),
  TrimBox: z.string(),
  ArtBox: z.string(),
  'Text Characters Count': count,
  Annotations: z.object({ AnnotationsCount: count, SubtypeCount: count, ContentsCount: count }),
  Images: z.array(image),
  Links: z.array(z.object({ URI: z.string() })),
  Fonts: z.array(font),
  XObjectCounts: z.object({ Image: count, Form: count, Other: count }),
  Multimedia: z.array(z.object({ Subtype: z.string(), Contents: optionalText })),
});

const embeddedFile = z.object({
  Name: optionalText,
  FileSize: count.optional(),
  MimeType: optionalText,
  CreationDate: optionalText,
  ModificationDate: optionalText,
});

/** Tags nest; how deep, a schema need not say. */
const structureNode = z.object({
  Type: z.string(),
  Content: optionalText.describe('Text the element stands for'),
  Children: z.array(z.unknown()).describe('Elements below, of the same shape'),
});

export const documentInfo = z.object({
  Metadata: z.record(z.string(), z.string()).describe('Info dictionary; entries of its own making included'),
  BasicInfo: z.object({
    FileSizeInBytes: count,
    WordCount: count,
    ParagraphCount: count.describe('As far as sizes and distances of lines tell'),
    CharacterCount: count.describe('Without line ends'),
    Language: optionalText,
    'Number of pages': count,
    TotalImages: count,
    UniqueImages: count,
  }),
  DocumentInfo: z.object({
    'PDF version': z.number(),
    Trapped: z.string().nullable(),
    'Page Mode': z.string(),
  }),
  Compliancy: z.record(z.string(), z.union([z.boolean(), z.string()])),
  Encryption: z.object({
    IsEncrypted: z.boolean(),
    EncryptionAlgorithm: optionalText,
    KeyLength: count.optional(),
    Version: count.optional(),
    Revision: count.optional(),
  }),
  Permissions: z.record(z.string(), z.string()).describe('Allowed or Not Allowed'),
  FormFields: z.record(z.string(), z.string()),
  Other: z.object({
    EmbeddedFiles: z.array(embeddedFile).describe('Files of the document'),
    Attachments: z
      .array(z.object({ Name: optionalText, Description: optionalText, FileSize: count.optional() }))
      .describe('Files pinned to pages'),
    JavaScript: z.array(z.object({ 'JS Name': z.string(), 'JS Script Length': count })),
    Layers: z.array(z.object({ Name: z.string() })),
    'Bookmarks/Outline/TOC': z.array(z.object({ Title: z.string() })),
    XMPMetadata: z.string().nullable(),
    StructureTree: z.array(structureNode),
  }),
  PerPageInfo: z.record(z.string(), page).describe('By `Page 1`, `Page 2`, ...'),
  SummaryData: z
    .object({
      encrypted: z.boolean().optional(),
      restrictedPermissions: z.array(z.string()).optional(),
      restrictedPermissionsCount: count.optional(),
      Compliance: z
        .array(z.object({ Standard: z.string(), Compliant: z.boolean(), Summary: z.string() }))
        .optional(),
    })
    .optional(),
});
