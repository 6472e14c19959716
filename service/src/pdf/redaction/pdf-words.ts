// Words of PDF itself (ISO 32000): names that every file has and that tell nothing of this one. A term that happens to
// be such a word is looked for everywhere else.
import { isLatinGlyphName } from '../fonts/glyph-names.ts';
import { isStandardName } from '../fonts/standard-fonts.ts';

const WORDS = new Set(
  `AcroForm Action ActionsFlags ActualText AdjustOpacity AESV2 AESV3 After AllOff AllOn AllPages Alternate
AlternateImages AlternatePresentations Alternates AnnotStates Annotation Annotations Annot Annots AntiAlias Any AnyOff
AnyOn AppDefault ArtBox Art Article Artifact Artwork ASCII85Decode ASCIIHexDecode Ascent Aside Assoc AtomicMass
Attached Attachment Author AuthEvent Auto AvgWidth Background BackgroundColor BaseEncoding BaseFont BaseState
BaseVersion BaselineShift Bead Before Begin BibEntry BitsPerComponent BitsPerCoordinate BitsPerFlag BitsPerSample
BlackIs1 BlackPoint BleedBox BlockAlign BlockQuote Block BBox Border BorderColor BorderStyle BorderThickness Bounds
BoxColorInfo ByteRange Caption Catalog Category CalGray CalRGB CalCMYK CCITTFaxDecode CenterWindow Center Certs
CharProcs CharSet CheckSum CIDFontType0 CIDFontType0C CIDFontType2 CIDSet CIDSystemInfo CIDToGIDMap CapHeight Cap Caret
Circle ClassMap ClrF ClrFf CMap CMapName CMYK Code Collection CollectionField CollectionItem CollectionSchema
CollectionSort CollectionSubitem ColorBurn ColorDodge ColorSpace ColorTransform Color Colorants Colors ColSpan
ColumnCount ColumnGap Columns ColumnWidths Comment Compatible Components Configs ContactInfo Contents Coords Count Cover
CreationDate CreatorInfo Creator CropBox CropFixed CropRect CRLs Crypt CryptFilter CryptFilterDecodeParms Cyan
DamagedRowsBeforeError Darken Data Date DCTDecode Decimal Decode DecodeParms Default DefaultCMYK DefaultForPrinting
DefaultGray DefaultRGB DescendantFonts Descent Desc Design Dest DestOutputProfile DestOutputProfileRef Dests Details
DeveloperExtensions DeviceCMYK DeviceColorant DeviceGray DeviceN DeviceRGB DeviceRGBK Dialog Difference Differences
DigestMethod DigestValue Dingbats Direction DisplayDocTitle Distribute Div DocMDP DocOpen DocTimeStamp Document Document
DocumentFragment Domain Dotted Double Download DPartRoot DPart DotGain DSS DublinCore Duplex DuplexFlipLongEdge
DuplexFlipShortEdge Duration EarlyChange EFOpen EmbeddedFile EmbeddedFiles EmbeddedFDFs Encode EncodedByteAlign
Encoding EncryptMetadata Encrypt Encryption EndIndent EndOfBlock EndOfLine Endnote Event ExData Exclude Exclusion
Expires ExpTable Export ExtGState ExtensionLevel Extends Extension Extensions External FENote Field FieldMDP Fields
Figure FileAttachment Filespec Filter First FirstChar FirstPage FitB FitBH FitBV FitH FitR FitV FitWindow Flags Flash
FlateDecode Fold Folders Font FontBBox FontDescriptor FontFamily FontFauxing FontFile FontFile2 FontFile3 FontMatrix
FontName FontStretch FontWeight Footer Footnote Form Formula FormType FreeText FreeTextCallout FreeTextTypeWriter
Frequency Front Function FunctionType Functions Gamma GenericRot GoTo GoTo3DView GoToDp GoToE GoToR Graph Gray Groove
Group GTS_PDFA1 GTS_PDFX GTS_PDFXVersion GTS_PDFXConformance Guideline Halftone HalftoneName HalftoneType HardLight
Header Headers Height Hidden HideAnnotationActions Hide HideMenubar HideToolbar HideWindowUI Highlight HLine Hue ICCBased
IconFit Identity Identity-H Identity-V IDTree Image ImageB ImageC ImageI ImageMask Import ImportData Index Indexed Info
Ink InkList InlineAlign InlineShape Inline Insert Inset Inside IntegerTypes Intent Interpolate Invalid IRT IsMap Issuer
ItalicAngle JavaScript JBIG2Decode JBIG2Globals JPXDecode Justify Keywords Kids Lang Language Last LastChar LastModified
LastPage Launch Layout LBody Lbl Leading Legal LegalAttestation Length Length1 Length2 Length3 Level1 Lighten Limits Line
LineArrow LineDimension LineHeight LineThrough Linearized Link ListMode ListNumbering List Listing Location Lock Locked
LrTb Luminosity LZWDecode MacExpertEncoding MacRomanEncoding Magenta MarkInfo Marked MarkedPDF Mask Matrix Matte
MaxLen MaxWidth Measure MediaBox MediaClip MediaRendition Metadata Middle MissingWidth Mix ModDate Movie MovieActions
Multiply Name Named Names NeedAppearances NeedsRendering NewWindow Next NextPage NoOp NonEFontNoWarn NonFullScreenPageMode
NonStruct None Normal Note Notes Num NumCopies NumberFormat Nums OBJR ObjStm OCGs OCMD OCProperties OCSP OCSPs Off
OneColumn OneWay Online OnInstantiate Open OpenAction OpenType OPI Opt Order Ordered Ordering Outline Outlines
OutputCondition OutputConditionIdentifier OutputIntent OutputIntents Outset Outside Overlay Overline Padding Page
PageElement PageLabel PageLabels PageLayout PageMode Pages PagesVisible Pagination Panose Paperclip Paragraph Params
Parent ParentTree ParentTreeNextKey Part Pattern PatternType PDFDocEncoding Perceptual Perms PickTrayByPDFSize PieceInfo
Placement Play Point Polygon PolyLine Popup Predictor Predefined Prefix PresSteps PreserveRB Prev PrevPage Preview Print
PrintArea PrintClip PrinterMark PrintField PrintPageRange PrintScaling PrintState Printer Private ProcSet Process
ProcessColors Producer Projection Prop_AuthTime Prop_AuthType Prop_Build Properties PrtScr PubKey Purpose PushButton
PushPin QuadPoints Quote RBGroups Radio Range RBGroups Reason Recipients Rect Redact Reference RefArea RegistryName
Registry RelativeColorimetric Rendition Renditions RepeatHeader ReplaceField Replace Requirement Requirements ReqHandler
ResetForm Resources Result RGB RichMedia RichMediaActivation RichMediaAnnotation RichMediaContent RichMediaDeactivation
RichMediaExecute RichMediaSettings Ridge RlTb Role RoleMap RoleMapNS Root RootCert Rotate Row Rows RowSpan RubyAlign
RubyPosition Ruby RunLengthDecode Saturation Schema Scope Screen ScreenRes SDML Sect Section Segments Self Separation
SeparationColorNames SeparationInfo SetOCGState SetState Shading ShadingType Short Sig SigFieldLock SigFlags SigQ SigRef
Signature SigSQ Simplex SinglePage Size SkewX Slash SMask SMaskInData SoftLight Solid Sort Sound SoundActions SourceModified
SpaceAfter SpaceBefore Span SpawnTemplate SpiderContentSet SpiderInfo Split Square Squiggly Stamp Standard
StandardEncoding Start StartIndent StartResource State StateModel StdCF StemH StemV Stream StrikeOut StructElem
StructParent StructParents StructTreeRoot Strong Style Stylus Sub SubFilter SubjectDN Subject SubmitForm Subtype
SubtypeName Summary Supplement Suspects Sy Symbol Synchronous System TabOrder Table TableHeader Tabs TBody TbRl Templates
Template Text TextAlign TextDecorationColor TextDecorationThickness TextDecorationType TextIndent TextPosition TFoot
THead Thread Threads Thumb TilingType TimeStamp Timespan Title TOCI Toggle ToUnicode Toolbar Trans TransferFunction
TransformMethod TransformParams Transition Transparency TrapNet TrapRegions TrapStyles Trapped TrapZones TrimBox True
TrueType TrustedMode Type Type0 Type1 Type1C Type3 UCR2 UF8 Unchanged Underline Unix Unknown Unordered Unspecified Updates
UR3 URI URIs URL URLS Usage UseAttachments UseBlackPtComp UseCMap UseNone UseOC UseOutlines User UserProperties UserUnit
UseThumbs Validity VeriSign Version VerticesPerRow Vertices View ViewArea ViewClip ViewState ViewerPreferences Viewport
Violate Visible VisiblePages VLine Volatile VRI Warichu Warnichu Watermark WhitePoint WhiteTextColor Width Widget Widths
WinAnsiEncoding Windows WMode Writing WritingMode XFA XFAImages XFAResources XHeight XObject XRef XRefStm XStep Yellow
YStep ZapfDingbats Zoom adbe.pkcs7.detached adbe.pkcs7.sha1 Adobe.PPKLite Adobe.PPKMS ADBE ETSI.CAdES.detached
ETSI.RFC3161 ISO_ AbsoluteColorimetric AHx AIS All Alt A85 Baseline Beveled BG2 Blinds Both Box BPC Butt CCF CFM
ClosedArrow Col Condensed CSS CSS-1.00 CSS-2.00 CSS-3.00 Dashed DCT Description Diamond Disc Dissolve Doc DOS DPM Dur
DW2 ECC EFF End Err Expanded ExtraCondensed ExtraExpanded Fade False FDF Fit Fly FreeTextTypewriter FullScreen Glitter
Head Help HTML HTML-3.20 HTML-4.01 HTML-5.00 ICC Include Ind IRT Key Lab LLE LLO LowerAlpha LowerRoman L2R LZW Mac MAC
Max MCID MCR Mic Mid Min MMType1 Mod Nam NChannel NewParagraph Obj OCG OEB-1.00 OID OpenArrow OPM Ovr PCM PDF PID Pin
PMD PRC Push RClosedArrow Ref REx ROpenArrow RTF RTF-1.05 R2L SemiCondensed SemiExpanded Speaker StmF StrF Strikeout
Subj Sup Tab Tag TOC TR2 TRef TwoColumnLeft TwoColumnRight TwoPageLeft TwoPageRight UCR UltraCondensed UltraExpanded
Uncover UpperAlpha UpperRoman U3D Web Wipe XML XML-1.00 XYZ Yes PTEX.Fullbanner PTEX.FileName PTEX.PageNumber PTEX.InfoDict Helv HeBo TiRo Cour ZaDb`.split(
    /\s+/,
  ),
);

export const isPdfWord = (given: string): boolean =>
  WORDS.has(given) || isStandardName(given) || isLatinGlyphName(given);

/** Languages by their codes alone: a language, where needed a script and a country. */
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i;

export const isLanguage = (text: string): boolean => LANGUAGE.test(text);
