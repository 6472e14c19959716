// The schemas of the XMP specification that PDF/A knows without being told: of January 2004 for part 1, of 2005
// for parts 2 and 3. Rows are `type: properties`; `2004` and `2005` mark what only one of them has.
import { lookup } from '../../../contract/lookup.ts';

export interface XmpSchema {
  namespace: string;
  prefix: string;
  rows: string;
}

const DC = `
bag ProperName: contributor publisher
Text: coverage identifier source
seq ProperName: creator
seq Date: date
Lang Alt: description rights title
MIMEType: format
bag Locale: language
bag Text: relation subject type`;

const XMP = `
bag XPath: Advisory
URL: BaseURL
Date: CreateDate MetadataDate ModifyDate
AgentName: CreatorTool
bag Text: Identifier
Text: Nickname
alt Thumbnail: Thumbnails
2005 Text: Label
2005 Integer: Rating`;

const RIGHTS = `
URL: Certificate WebStatement
Boolean: Marked
bag ProperName: Owner
Lang Alt: UsageTerms`;

const MM = `
ResourceRef: DerivedFrom ManagedFrom RenditionOf
URI: DocumentID InstanceID ManageTo ManageUI
seq ResourceEvent: History
AgentName: Manager
Text: ManagerVariant RenditionClass RenditionParams VersionID
seq Version: Versions
URL: LastURL
Integer: SaveID`;

const PAGED = `
Dimensions: MaxPageSize
Integer: NPages
2005 bag Font: Fonts
2005 seq Colorant: Colorants
2005 seq Text: PlateNames`;

const PHOTOSHOP = `
Text: AuthorsPosition Category City Country Credit Headline Instructions Source State TransmissionReference
ProperName: CaptionWriter
Date: DateCreated
2004 Text: SupplementalCategories
2005 bag Text: SupplementalCategories
Integer: Urgency`;

const TIFF = `
Integer: ImageWidth ImageLength Compression PhotometricInterpretation Orientation SamplesPerPixel PlanarConfiguration
  YCbCrPositioning ResolutionUnit
seq Integer: BitsPerSample YCbCrSubSampling TransferFunction
Rational: XResolution YResolution
seq Rational: WhitePoint PrimaryChromaticities YCbCrCoefficients ReferenceBlackWhite
Date: DateTime
Lang Alt: ImageDescription Copyright
ProperName: Make Model Artist
AgentName: Software`;

const EXIF = `
Text: ExifVersion FlashpixVersion RelatedSoundFile SpectralSensitivity ImageUniqueID GPSVersionID GPSSatellites
  GPSStatus GPSSpeedRef GPSTrackRef GPSImgDirectionRef GPSMapDatum GPSDestBearingRef GPSDestDistanceRef
  GPSProcessingMethod GPSAreaInformation GPSMeasureMode
2004 Text: MakerNote
Integer: ColorSpace PixelXDimension PixelYDimension ExposureProgram MeteringMode LightSource FocalPlaneResolutionUnit
  SensingMethod FileSource SceneType CustomRendered ExposureMode WhiteBalance FocalLengthIn35mmFilm SceneCaptureType
  GainControl Contrast Saturation Sharpness SubjectDistanceRange GPSAltitudeRef GPSDifferential
seq Integer: ComponentsConfiguration ISOSpeedRatings SubjectArea SubjectLocation
Rational: CompressedBitsPerPixel ExposureTime FNumber ShutterSpeedValue ApertureValue BrightnessValue
  ExposureBiasValue MaxApertureValue SubjectDistance FocalLength FlashEnergy FocalPlaneXResolution
  FocalPlaneYResolution ExposureIndex DigitalZoomRatio GPSAltitude GPSDOP GPSSpeed GPSTrack GPSImgDirection
  GPSDestBearing GPSDestDistance
Lang Alt: UserComment
Date: DateTimeOriginal DateTimeDigitized GPSTimeStamp
OECF: OECF SpatialFrequencyResponse
Flash: Flash
CFAPattern: CFAPattern
DeviceSettings: DeviceSettingDescription
GPSCoordinate: GPSLatitude GPSLongitude GPSDestLatitude GPSDestLongitude`;

const AUX = `
2005 Text: Lens SerialNumber`;

const CAMERA_RAW = `
2005 Boolean: AutoBrightness AutoContrast AutoExposure AutoShadows HasCrop HasSettings
2005 Integer: BlueHue BlueSaturation Brightness ChromaticAberrationB ChromaticAberrationR ColorNoiseReduction
  Contrast CropUnits GreenHue GreenSaturation LuminanceSmoothing RedHue RedSaturation Saturation Shadows ShadowTint
  Sharpness Temperature Tint VignetteAmount VignetteMidpoint
2005 Real: CropTop CropLeft CropBottom CropRight CropAngle CropWidth CropHeight Exposure
2005 Text: CameraProfile RawFileName ToneCurveName Version WhiteBalance
2005 seq Text: ToneCurve`;

const MEDIA = `
2005 ProjectLink: projectRef
2005 Text: videoFrameRate videoPixelDepth videoColorSpace videoAlphaMode videoCompressor videoFieldOrder pullDown
  audioSampleType audioChannelType audioCompressor speakerPlacement tapeName altTapeName scene shotName shotLocation
  logComment artist album genre copyright composer engineer instrument key stretchMode timeSignature scaleType
2005 Dimensions: videoFrameSize
2005 Rational: videoPixelAspectRatio fileDataRate
2005 Colorant: videoAlphaPremultipleColor
2005 Boolean: videoAlphaUnityIsTransparent loop
2005 Integer: audioSampleRate trackNumber
2005 Timecode: startTimecode altTimecode
2005 Time: duration introTime outCue relativeTimestamp
2005 Date: shotDate videoModDate audioModDate metadataModDate releaseDate
2005 seq Marker: markers
2005 bag Media: contributedMedia
2005 URI: absPeakAudioFilePath relativePeakAudioFilePath
2005 Real: tempo numberOfBeats
2005 TimeScaleStretch: timeScaleParams
2005 ResampleParams: resampleParams
2005 BeatSpliceStretch: beatSpliceParams`;

export const PDFA_ID = 'http://www.aiim.org/pdfa/ns/id/';
export const EXTENSION = 'http://www.aiim.org/pdfa/ns/extension/';

export const XMP_SCHEMAS: readonly XmpSchema[] = [
  { namespace: 'http://purl.org/dc/elements/1.1/', prefix: 'dc', rows: DC },
  { namespace: 'http://ns.adobe.com/xap/1.0/', prefix: 'xmp', rows: XMP },
  { namespace: 'http://ns.adobe.com/xap/1.0/rights/', prefix: 'xmpRights', rows: RIGHTS },
  { namespace: 'http://ns.adobe.com/xap/1.0/mm/', prefix: 'xmpMM', rows: MM },
  { namespace: 'http://ns.adobe.com/xap/1.0/bj/', prefix: 'xmpBJ', rows: '\nbag Job: JobRef' },
  { namespace: 'http://ns.adobe.com/xap/1.0/t/pg/', prefix: 'xmpTPg', rows: PAGED },
  { namespace: 'http://ns.adobe.com/xmp/1.0/DynamicMedia/', prefix: 'xmpDM', rows: MEDIA },
  {
    namespace: 'http://ns.adobe.com/pdf/1.3/',
    prefix: 'pdf',
    rows: '\nText: Keywords PDFVersion\nAgentName: Producer',
  },
  { namespace: 'http://ns.adobe.com/photoshop/1.0/', prefix: 'photoshop', rows: PHOTOSHOP },
  { namespace: 'http://ns.adobe.com/tiff/1.0/', prefix: 'tiff', rows: TIFF },
  { namespace: 'http://ns.adobe.com/exif/1.0/', prefix: 'exif', rows: EXIF },
  { namespace: 'http://ns.adobe.com/exif/1.0/aux/', prefix: 'aux', rows: AUX },
  { namespace: 'http://ns.adobe.com/camera-raw-settings/1.0/', prefix: 'crs', rows: CAMERA_RAW },
  {
    namespace: PDFA_ID,
    prefix: 'pdfaid',
    rows: '\nInteger: part\nText: amd conformance\n2005 Text: corr',
  },
];

/** Structures and their fields: namespace, then rows as above. */
export const XMP_STRUCTURES: Readonly<Record<string, { namespace: string; rows: string }>> = lookup({
  Dimensions: { namespace: 'http://ns.adobe.com/xap/1.0/sType/Dimensions#', rows: '\nReal: w h\nText: unit' },
  Thumbnail: {
    namespace: 'http://ns.adobe.com/xap/1.0/g/img/',
    rows: '\nInteger: height width\nText: format image',
  },
  ResourceEvent: {
    namespace: 'http://ns.adobe.com/xap/1.0/sType/ResourceEvent#',
    rows: '\nText: action parameters\nURI: instanceID\nAgentName: softwareAgent\nDate: when',
  },
  ResourceRef: {
    namespace: 'http://ns.adobe.com/xap/1.0/sType/ResourceRef#',
    rows: '\nURI: documentID instanceID manageTo manageUI\nAgentName: manager\nText: managerVariant renditionClass renditionParams versionID',
  },
  Version: {
    namespace: 'http://ns.adobe.com/xap/1.0/sType/Version#',
    rows: '\nText: comments version\nResourceEvent: event\nDate: modifyDate\nProperName: modifier',
  },
  Job: { namespace: 'http://ns.adobe.com/xap/1.0/sType/Job#', rows: '\nText: id name\nURL: url' },
  Colorant: {
    namespace: 'http://ns.adobe.com/xap/1.0/g/',
    rows: '\nText: swatchName mode type\nReal: cyan magenta yellow black L\nInteger: red green blue A B',
  },
  Font: {
    namespace: 'http://ns.adobe.com/xap/1.0/sType/Font#',
    rows: '\nText: fontName fontFamily fontFace fontType versionString fontFileName\nBoolean: composite\nseq Text: childFontFiles',
  },
  Flash: {
    namespace: 'http://ns.adobe.com/exif/1.0/',
    rows: '\nBoolean: Fired Function RedEyeMode\nInteger: Return Mode',
  },
  OECF: {
    namespace: 'http://ns.adobe.com/exif/1.0/',
    rows: '\nInteger: Columns Rows\nseq Text: Names\nseq Rational: Values',
  },
  CFAPattern: {
    namespace: 'http://ns.adobe.com/exif/1.0/',
    rows: '\nInteger: Columns Rows\nseq Integer: Values',
  },
  DeviceSettings: {
    namespace: 'http://ns.adobe.com/exif/1.0/',
    rows: '\nInteger: Columns Rows\nseq Text: Settings',
  },
});
